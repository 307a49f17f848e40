/**
 * Runs suites of tests and other checks. The last lines name every failure, because CI keeps only the end of a log. A
 * file with a failed test runs once more, alone and after everything else; see docs/decisions/0045-tests.md.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileTests, filesOf } from "./jest-results.ts";

/** A run with more failed files fails without a second attempt. */
const maxUnstableFiles = 12;

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

/**
 * Runs the suites one after the other, and beside them the checks, whose output follows when they end. Prints the
 * outcome, with "N passed, N failed" as its last line. Returns whether nothing failed.
 */
export async function runCi(suites: Suite[], checks: Check[]): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-ci-"));
  try {
    const [runs, outcomes] = await Promise.all([
      inTurn(suites, (suite) => runSuite(suite, folder)),
      inTurn(checks, async ({ name, command }) => ({ name, code: await runQuietly(name, command) })),
    ]);
    const failedChecks = outcomes.filter(({ code }) => code !== 0);
    const { files, failures, unstable } = await repeatFailed(runs, folder);
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

async function inTurn<Item, Outcome>(items: Item[], work: (item: Item) => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const item of items) outcomes.push(await work(item));
  return outcomes;
}

async function runSuite(suite: Suite, folder: string, file?: FileTests): Promise<SuiteRun> {
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const name = file ? `${suite.name}, again: ${file.file}` : suite.name;
  const code = await run(name, suite.command(report, file?.path));
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

async function repeatFailed(runs: SuiteRun[], folder: string) {
  const failures = runs.flatMap((each) => each.failures);
  const files = runs.flatMap((each) => each.files);
  const unstable: string[] = [];
  const failed = runs.flatMap(({ suite, files }) =>
    files.filter((file) => file.failed.length > 0).map((file) => ({ suite, file })),
  );
  if (failed.length > maxUnstableFiles) return { files, failures, unstable };
  for (const { suite, file } of failed) {
    const again = await runSuite(suite, folder, file);
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

/** Returns the exit code. Null means that a signal ended the command, or that it could not start. */
async function run(name: string, [program = "", ...options]: string[]): Promise<number | null> {
  say(`\n== ${name}`);
  return ending(spawn(program, options, { stdio: ["ignore", "inherit", "inherit"] }));
}

/** Prints the output when the command ends, because others print meanwhile. */
async function runQuietly(name: string, [program = "", ...options]: string[]): Promise<number | null> {
  const child = spawn(program, options, { stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await ending(child);
  say(`\n== ${name}`);
  process.stdout.write(Buffer.concat(output));
  return code;
}

const ending = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once("error", () => resolve(null)).once("close", resolve));

const say = (line: string): void => void process.stdout.write(`${line}\n`);
