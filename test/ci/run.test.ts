/** `.ci/run` names every failure at its end. The tests it runs here are planted. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { longestWaitMs } from "../support/worker.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "botstead-ci-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const passes = `test("passes", () => {});`;
const failsAlways = `test("fails always", () => { throw new Error("It came back late."); });`;

/**
 * Runs the planted files as one suite.
 *
 * @param checks commands besides the suite, by name
 * @param exitCode of the suite, instead of jest's
 */
function runPlanted(files: Record<string, string>, checks: Record<string, string[]> = {}, exitCode?: number) {
  const home = mkdtempSync(join(folder, "run-"));
  mkdirSync(join(home, "test"));
  for (const [name, body] of Object.entries(files)) writeFileSync(join(home, "test", `${name}.test.js`), body);
  writeFileSync(join(home, "jest.config.json"), JSON.stringify({ rootDir: home, testEnvironment: "node" }));
  const jest = [
    process.execPath,
    join(project, "node_modules/jest/bin/jest.js"),
    "--config",
    join(home, "jest.config.json"),
  ];
  writeFileSync(
    join(home, "main.ts"),
    `import { runCi } from ${JSON.stringify(join(project, "tools/ci/run.ts"))};
     const jest = ${JSON.stringify(jest)};
     const command = (report) => ["sh", "-c", '"$@"; exit ${exitCode ?? "$?"}', "sh", ...jest, "--json", "--outputFile=" + report];
     const checks = ${JSON.stringify(Object.entries(checks).map(([name, command]) => ({ name, command })))};
     process.exitCode = (await runCi([{ name: "planted", command }], checks)) ? 0 : 1;`,
  );
  const { status, stdout } = spawnSync(process.execPath, [join(home, "main.ts")], {
    encoding: "utf8",
    timeout: longestWaitMs,
  });
  const lines = stdout.trim().split("\n");
  const at = lines.lastIndexOf("");
  return { status, end: lines.slice(at + 1).map((line) => line.replace(/ \S*\/test\//, " ")) };
}

test("runCi counts tests and checks, and exits with 0 when all passed", () => {
  const { status, end } = runPlanted({ one: passes, other: passes }, { types: ["true"] });
  expect(end).toEqual(["3 passed, 0 failed"]);
  expect(status).toBe(0);
});

test("runCi names every failed test, skipped test and check in its last lines", () => {
  const { status, end } = runPlanted(
    {
      late: `${passes} ${failsAlways} test.skip("needs root", () => {});`,
      broken: `throw new Error("It has no port.");`,
      unclosed: `${passes} afterAll(() => { throw new Error("It did not close."); });`,
    },
    { types: ["true"], lint: ["sh", "-c", "exit 3"] },
  );
  expect(end).toEqual([
    expect.stringMatching(/^FAIL broken\.test\.js › the file: .*It has no port\./),
    "FAIL late.test.js › fails always: Error: It came back late.",
    "FAIL late.test.js › needs root: skipped",
    expect.stringMatching(/^FAIL unclosed\.test\.js › the file: .*It did not close\./),
    "FAIL lint: exit code 3",
    "3 passed, 5 failed",
  ]);
  expect(status).toBe(1);
});

test.each([
  [1, passes, ["FAIL planted: exit code 1", "1 passed, 1 failed"]],
  [
    2,
    failsAlways,
    [
      "FAIL planted: exit code 2",
      "FAIL planted.test.js › fails always: Error: It came back late.",
      "0 passed, 2 failed",
    ],
  ],
])("runCi fails when a suite exits with %d and no failed test explains it", (exitCode, body, expected) => {
  const { status, end } = runPlanted({ planted: body }, {}, exitCode);
  expect(end).toEqual(expected);
  expect(status).toBe(1);
});

test("runCi fails when jest ends without results", () => {
  const { status, end } = runPlanted({});
  expect(end).toEqual(["FAIL planted: exit code 1", "0 passed, 1 failed"]);
  expect(status).toBe(1);
});
