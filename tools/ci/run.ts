/** Runs suites of tests and other checks. The last lines name every failure, because CI keeps only the end of a log. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileTests, filesOf } from "./jest-results.ts";

export type Suite = {
  name: string;
  /** Arguments of Node's `spawn`: a command that writes jest's results to `report`. It exits with 1 if a test failed. */
  command(report: string): string[];
};

export type Check = { name: string; command: string[] };

type SuiteRun = { files: FileTests[]; failures: string[] };

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
    const files = runs.flatMap((run) => run.files);
    const failed = [
      ...runs.flatMap(({ failures }) => failures),
      ...files.flatMap(failuresOf),
      ...failedChecks.map(({ name, code }) => `${name}: exit code ${code}`),
    ];
    const passed = files.reduce((sum, file) => sum + file.passed, 0) + checks.length - failedChecks.length;
    say("");
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

async function runSuite({ name, command }: Suite, folder: string): Promise<SuiteRun> {
  const report = join(folder, `${name.replaceAll(" ", "-")}.json`);
  const code = await run(name, command(report));
  const files = read(report);
  const isExplained = code === 0 || (code === 1 && files.some(({ failed }) => failed.length > 0));
  return { files, failures: isExplained ? [] : [`${name}: exit code ${code}`] };
}

function read(report: string): FileTests[] {
  try {
    return filesOf(JSON.parse(readFileSync(report, "utf8")));
  } catch {
    return []; // The command ended before it wrote its report: its exit code is the failure.
  }
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
