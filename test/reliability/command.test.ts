/**
 * `npm run test:fault` adds up the reports of tests and fails when they lost anything. The tests it runs here are
 * planted.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { updatePage } from "../../tools/fault/page.ts";
import { type FileResult, judge } from "../../tools/fault/summary.ts";
import type { Counts } from "../support/reliability.ts";
import { longestWaitMs } from "../support/worker.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const command = pathOf("../../tools/fault/main.ts");
const folder = mkdtempSync(join(tmpdir(), "botstead-planted-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const none: Counts = { acknowledged: 12, lost: 0, doubled: 0, unexpected: 0 };

/** Runs the command over one file of tests. @param body statements of the file, in which `none` is there */
function run(name: string, body: string, options: string[] = []): { code: number | null; said: string } {
  const home = join(folder, name);
  mkdirSync(join(home, "test/fault"), { recursive: true });
  const config = join(home, "jest.config.json");
  writeFileSync(
    config,
    JSON.stringify({
      rootDir: home,
      testEnvironment: pathOf("../support/jest/environment.ts"),
      testRunner: pathOf("../support/jest/runner.ts"),
      transform: {},
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      setupFilesAfterEnv: [pathOf("../support/set-up.ts")],
    }),
  );
  const support = JSON.stringify(pathOf("../support/reliability.ts"));
  writeFileSync(
    join(home, "test/fault/planted.test.ts"),
    `import { expectAll, howMany, reportCounts } from ${support};\nconst none = ${JSON.stringify(none)};\n${body}\n`,
  );
  const child = spawnSync(process.execPath, [command, "--config", config, ...options, "test/fault"], {
    encoding: "utf8",
    timeout: longestWaitMs,
  });
  return { code: child.status, said: child.stdout };
}

test("test:fault adds up reports of one name and exits with 0 when nothing was lost", () => {
  const { code, said } = run(
    "well",
    `test("one", () => { reportCounts("killed", { ...none, acknowledged: howMany(12, 200), note: "200 times" }); reportCounts("killed", none); });
     test("other", () => reportCounts("cut off", none));`,
  );
  expect(
    said
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/ {2,}/)),
  ).toEqual([
    ["acknowledged", "lost", "doubled", "unexpected"],
    ["killed", "24", "0", "0", "0", "200 times"],
    ["cut off", "12", "0", "0", "0"],
    ["total", "36", "0", "0", "0"],
    [""],
    ["Nothing was lost, doubled or unexpected."],
  ]);
  expect(code).toBe(0);
});

test("test:fault exits with 2 when something is lost and no test failed; --long selects the long form", () => {
  const planted = `test("one", () => reportCounts("killed", { ...none, acknowledged: howMany(12, 200), lost: 1 }));`;
  const { code, said } = run("lost", planted, ["--long"]);
  expect(said).toMatch(/^killed +200 +1 +0 +0$/m);
  expect(said).toContain("Something was lost, doubled or unexpected.");
  expect(said).not.toContain("Failed");
  expect(code).toBe(2);
});

test.each([
  ["lost", 2],
  ["doubled", 2],
  ["unexpected", 1],
])("judge returns another exit code than 0 when %s is above 0", (kind, exitCode) => {
  const result = { file: "a.test.ts", failed: [], skipped: [] };
  const report = { file: "a.test.ts", name: "killed", ...none };
  expect(judge([{ ...result, reports: [report] }]).exitCode).toBe(0);
  expect(judge([{ ...result, reports: [report, { ...report, [kind]: 1 }] }]).exitCode).toBe(exitCode);
});

test("test:fault names tests that failed, reported nothing, or met an unexpected value", () => {
  const { code, said } = run(
    "failing",
    `test("reported and failed", () => { setInterval(() => {}, 1_000); reportCounts("killed", none); throw new Error("It came back late."); });
     test("without counts", () => {});
     test("came otherwise", () => expectAll("values", [[1, 1], [[2], ["2"]]]));`,
  );
  expect(said).toMatch(/^Failed: .*planted\.test\.ts: reported and failed: Error: It came back late\.$/m);
  expect(said).toMatch(/^Failed: .*planted\.test\.ts: without counts: Error: No counts: .*$/m);
  expect(said).toMatch(/^Failed: .*planted\.test\.ts: came otherwise: /m);
  expect(said).toMatch(/^values +1 +0 +0 +1$/m);
  expect(code).toBe(1);
});

test("test:fault fails for a file that jest cannot load, and for a run without reports", () => {
  const broken = run("broken", `throw new Error("It has no port.");`);
  expect(broken.said).toMatch(/^Failed: .*planted\.test\.ts: the file: /m);
  expect(broken.code).toBe(1);
  const empty = run("empty", `test.skip("one (left out: there is no room)", () => {});`);
  expect(empty.said).toMatch(/^Skipped: one \(left out: there is no room\)\nNo test reported counts\.$/m);
  expect(empty.code).toBe(1);
});

describe("bench/notes/reliability-results.md", () => {
  const result = (file: string, more: Partial<Counts> = {}): FileResult => ({
    file,
    reports: [{ file, name: `done by ${file}`, ...none, ...more }],
    failed: [],
    skipped: [],
  });
  const empty = "Before.\n<!-- summary: begin -->\n<!-- summary: end -->\nAfter.\n";
  const exists = () => true;
  const row = (file: string, count: string) => `| done by ${file} | ${count} | 0 | 0 | 0 | |`;

  test("updatePage replaces the sections of files that ran and the total, and keeps other sections", () => {
    const first = updatePage(empty, [result("b.test.ts"), result("a.test.ts")], { long: false }, exists);
    expect(first).toMatch(/^Before\.\n[\s\S]*### `a\.test\.ts`[\s\S]*### `b\.test\.ts`[\s\S]*\nAfter\.\n$/);
    expect(first).toContain("| Total of 2 scenarios | 24 | 0 | 0 | 0 | |");
    const second = updatePage(first, [result("b.test.ts", { acknowledged: 3_000 })], { long: true }, exists);
    expect(second).toContain("| Total of 2 scenarios | 3,012 | 0 | 0 | 0 | |");
    expect(second).toContain(row("a.test.ts", "12"));
    expect(second).toContain(row("b.test.ts", "3,000"));
    expect(second).not.toContain(row("b.test.ts", "12"));
    expect(second).toMatch(/Long form, [\s\S]*\n`npm run test:fault -- --long b\.test\.ts`/);
    expect(second).toMatch(/Short form, [\s\S]*\n`npm run test:fault -- a\.test\.ts`/);
  });

  test("updatePage removes the section of a deleted file, and lists failed and skipped tests", () => {
    const first = updatePage(empty, [result("a.test.ts"), result("gone.test.ts")], { long: false }, exists);
    const failed = { ...result("a.test.ts"), failed: [{ test: "one", why: "Late." }], skipped: ["other"] };
    const second = updatePage(first, [failed], { long: false }, (file) => file !== "gone.test.ts");
    expect(second).not.toContain("gone.test.ts");
    expect(second).toContain("\nFailed: one: Late.\n\nSkipped: other\n");
    expect(second).toContain("| Total of 1 scenarios | 12 | 0 | 0 | 0 | |");
  });

  test("updatePage throws when the page has no markers", () => {
    expect(() => updatePage("Before.", [], { long: false }, exists)).toThrow("The page lacks a marker");
  });
});
