/** `npm run test:fault` sums up what tests told, and fails for what they lost: its tests are planted here. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { written } from "../../tools/fault/page.ts";
import { type FileResult, judge } from "../../tools/fault/summary.ts";
import type { Counts } from "../support/reliability.ts";

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
  const { resolve } = createRequire(import.meta.url);
  const swc = { jsc: { parser: { syntax: "typescript" }, target: "es2024" }, module: { type: "es6" } };
  writeFileSync(
    config,
    JSON.stringify({
      rootDir: home,
      testEnvironment: "node",
      extensionsToTreatAsEsm: [".ts"],
      transform: { "^.+\\.ts$": [resolve("@swc/jest"), swc] },
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      setupFilesAfterEnv: [pathOf("../support/told.ts")],
    }),
  );
  const support = JSON.stringify(pathOf("../support/reliability.ts"));
  writeFileSync(
    join(home, "test/fault/planted.test.ts"),
    `import { expectAll, howMany, tell } from ${support};\nconst none = ${JSON.stringify(none)};\n${body}\n`,
  );
  const child = spawnSync(process.execPath, [command, "--config", config, ...options, "test/fault"], {
    encoding: "utf8",
    timeout: 25_000,
  });
  return { code: child.status, said: child.stdout };
}

test("where nothing was lost it counts, adds what was told under one name, and exits with 0", () => {
  const { code, said } = run(
    "well",
    `test("one", () => { tell("killed", { ...none, acknowledged: howMany(12, 200), note: "200 times" }); tell("killed", none); });
     test("other", () => tell("cut off", none));`,
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
    ["altogether", "36", "0", "0", "0"],
    [""],
    ["Nothing was lost, nothing doubled, and nothing unexpected."],
  ]);
  expect(code).toBe(0);
});

test("something is lost: it exits with 1, although no test failed; and by --long it is the long form", () => {
  const planted = `test("one", () => tell("killed", { ...none, acknowledged: howMany(12, 200), lost: 1 }));`;
  const { code, said } = run("lost", planted, ["--long"]);
  expect(said).toMatch(/^killed +200 +1 +0 +0$/m);
  expect(said).toContain("Something was lost, doubled or unexpected.");
  expect(said).not.toContain("Failed");
  expect(code).toBe(1);
});

test.each(["lost", "doubled", "unexpected"])("%s is not 0: that is not good", (kind) => {
  const result = { file: "a.test.ts", failed: [], leftOut: [] };
  const told = { file: "a.test.ts", name: "killed", ...none };
  expect(judge([{ ...result, told: [told] }]).good).toBe(true);
  expect(judge([{ ...result, told: [told, { ...told, [kind]: 1 }] }]).good).toBe(false);
});

test("a test that failed is named with what it said, and so is one that told nothing, or to which something else came", () => {
  const { code, said } = run(
    "failing",
    `test("told and failed", () => { setInterval(() => {}, 1_000); tell("killed", none); throw new Error("It came back late."); });
     test("told nothing", () => {});
     test("came otherwise", () => expectAll("asked", [[1, 1], [[2], ["2"]]]));`,
  );
  expect(said).toMatch(/^Failed: .*planted\.test\.ts: told and failed: Error: It came back late\.$/m);
  expect(said).toMatch(/^Failed: .*planted\.test\.ts: told nothing: Error: It told nothing: .*$/m);
  expect(said).toMatch(/^Failed: .*planted\.test\.ts: came otherwise: /m);
  expect(said).toMatch(/^asked +1 +0 +0 +1$/m);
  expect(code).toBe(1);
});

test("a file that can't be run, and a run in which no test told anything, are failures", () => {
  const broken = run("broken", `throw new Error("It has no port.");`);
  expect(broken.said).toMatch(/^Failed: .*planted\.test\.ts: the file: /m);
  expect(broken.code).toBe(1);
  const empty = run("empty", `test.skip("one (left out: there is no room)", () => {});`);
  expect(empty.said).toMatch(/^Left out: one \(left out: there is no room\)\nNothing was told\.$/m);
  expect(empty.code).toBe(1);
});

describe("the page", () => {
  const result = (file: string, more: Partial<Counts> = {}): FileResult => ({
    file,
    told: [{ file, name: `done by ${file}`, ...none, ...more }],
    failed: [],
    leftOut: [],
  });
  const empty = "Before.\n<!-- summary: begin -->\n<!-- summary: end -->\nAfter.\n";
  const isThere = () => true;
  const row = (file: string, count: string) => `| done by ${file} | ${count} | 0 | 0 | 0 | |`;

  test("a run of some files renews their sections and the totals, and leaves what others counted", () => {
    const first = written(empty, [result("b.test.ts"), result("a.test.ts")], { long: false }, isThere);
    expect(first).toMatch(/^Before\.\n[\s\S]*### `a\.test\.ts`[\s\S]*### `b\.test\.ts`[\s\S]*\nAfter\.\n$/);
    expect(first).toContain("| 2 things done to it | 24 | 0 | 0 | 0 | |");
    const second = written(first, [result("b.test.ts", { acknowledged: 3_000 })], { long: true }, isThere);
    expect(second).toContain("| 2 things done to it | 3,012 | 0 | 0 | 0 | |");
    expect(second).toContain(row("a.test.ts", "12"));
    expect(second).toContain(row("b.test.ts", "3,000"));
    expect(second).not.toContain(row("b.test.ts", "12"));
    expect(second).toMatch(/Long form, [\s\S]*\n`npm run test:fault -- --long b\.test\.ts`/);
    expect(second).toMatch(/Short form, [\s\S]*\n`npm run test:fault -- a\.test\.ts`/);
  });

  test("the section of a file that is no more goes, and failures and what was left out are told", () => {
    const first = written(empty, [result("a.test.ts"), result("gone.test.ts")], { long: false }, isThere);
    const failed = { ...result("a.test.ts"), failed: [{ test: "one", why: "Late." }], leftOut: ["other"] };
    const second = written(first, [failed], { long: false }, (file) => file !== "gone.test.ts");
    expect(second).not.toContain("gone.test.ts");
    expect(second).toContain("\nFailed: one: Late.\n\nLeft out: other\n");
    expect(second).toContain("| 1 things done to it | 12 | 0 | 0 | 0 | |");
  });

  test("one without markers is not written", () => {
    expect(() => written("Before.", [], { long: false }, isThere)).toThrow("The page has lost its markers.");
  });
});
