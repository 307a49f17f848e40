/**
 * Runs suites of tests and other checks. The last lines name every failure, because CI keeps only the end of a log. A
 * file with a failed test runs once more, alone and after everything else; see docs/decisions/0045-tests.md.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileTests, filesOf } from "./jest-results.ts";

/** A run with more failed files fails without a second attempt. */
const maxUnstableFiles = 3;

export type Suite = {
  name: string;
  /**
   * Arguments of Node's `spawn`: a command that writes jest's results to `report`. It exits with 1 if a test failed, and
   * with a higher code for a failure that a second run must not excuse.
   *
   * @param file the only test file to run. Defaults to all files of the suite
   */
  command(report: string, file?: string): string[];
};

export type Check = { name: string; command: string[] };

type SuiteRun = { suite: Suite; files: FileTests[]; failures: string[] };

/** Prints the outcome, with "N passed, N failed" as its last line. Returns whether nothing failed. */
export function runCi(suites: Suite[], checks: Check[]): boolean {
  const folder = mkdtempSync(join(tmpdir(), "botstead-ci-"));
  try {
    const runs = suites.map((suite) => runSuite(suite, folder));
    const outcomes = checks.map(({ name, command }) => ({ name, code: run(name, command) }));
    const failedChecks = outcomes.filter(({ code }) => code !== 0);
    const { files, failures, unstable } = repeatFailed(runs, folder);
    const failed = [
      ...failures,
      ...files.flatMap(failuresOf),
      ...failedChecks.map(({ name, code }) => `${name}: exit code ${code}`),
    ];
    const passed = files.reduce((sum, file) => sum + file.passed, 0) + checks.length - failedChecks.length;
    say("");
    for (const line of unstable) say(`unstable: ${line}`);
    for (const line of failed) say(`FAIL ${line}`);
    say(`${passed} passed, ${failed.length} failed`);
    return failed.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runSuite(suite: Suite, folder: string, file?: FileTests): SuiteRun {
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const name = file ? `${suite.name}, again: ${file.file}` : suite.name;
  const code = run(name, suite.command(report, file?.path));
  const files = read(report);
  const isExplained = code === 0 || (code === 1 && files.some(({ failed }) => failed.length > 0));
  return { suite, files, failures: isExplained ? [] : [`${name}: exit code ${code}`] };
}

function read(report: string): FileTests[] {
  try {
    return filesOf(JSON.parse(readFileSync(report, "utf8")));
  } catch {
    return []; // The command ended before it wrote its report: its exit code is the failure.
  }
}

function repeatFailed(runs: SuiteRun[], folder: string) {
  const failures = runs.flatMap((each) => each.failures);
  const files = runs.flatMap((each) => each.files);
  const unstable: string[] = [];
  const failed = runs.flatMap(({ suite, files }) =>
    files.filter((file) => file.failed.length > 0).map((file) => ({ suite, file })),
  );
  if (failed.length > maxUnstableFiles) return { files, failures, unstable };
  for (const { suite, file } of failed) {
    const again = runSuite(suite, folder, file);
    failures.push(...again.failures);
    const [second] = again.files;
    if (!second) continue;
    files[files.indexOf(file)] = second;
    const stillFailed = new Set(second.failed.map(({ test }) => test));
    const excused = file.failed.filter(({ test }) => !stillFailed.has(test));
    unstable.push(...excused.map(({ test, why }) => `${file.file} › ${test}: ${why}`));
  }
  return { files, failures, unstable };
}

const failuresOf = ({ file, failed, skipped }: FileTests): string[] => [
  ...failed.map(({ test, why }) => `${file} › ${test}: ${why}`),
  ...skipped.map((test) => `${file} › ${test}: skipped`),
];

/** Returns the exit code. Null means that a signal ended the command. */
function run(name: string, [program = "", ...options]: string[]): number | null {
  say(`\n== ${name}`);
  return spawnSync(program, options, { stdio: ["ignore", "inherit", "inherit"] }).status;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
