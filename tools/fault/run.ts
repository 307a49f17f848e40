/** Runs jest in a child process and collects its results and the reports of its tests. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve as resolvePath } from "node:path";
import { fileURLToPath } from "node:url";
import { longVariable, type Report, reportFileVariable } from "../../test/support/reliability.ts";
import { filesOf, type JestResults } from "../ci/jest-results.ts";
import type { FileResult } from "./summary.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

export type Run = {
  /** Patterns of test files, as jest takes them. */
  paths: string[];
  /** Repeats each fault more often, and runs one file at a time. */
  long: boolean;
  /** Keeps jest's --json output in this file. */
  json?: string | undefined;
  /** A jest configuration file to use instead of the project's. */
  config?: string | undefined;
};

/** Jest's own output goes to standard error. @throws Error when jest ended before it wrote its results. */
export async function runTests({ paths, long, json, config }: Run): Promise<FileResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-reliability-"));
  const [reportFile, resultFile] = [join(folder, "reports"), resolvePath(json ?? join(folder, "results.json"))];
  writeFileSync(reportFile, "");
  try {
    // --forceExit: a failed test may leave handles open.
    const options = ["--forceExit", "--json", `--outputFile=${resultFile}`];
    if (long) options.push("--runInBand"); // the faults of one file cannot disturb the measurements of another
    if (config) options.push("--config", config);
    const jest = join(project, "node_modules/jest/bin/jest.js");
    const child = spawn(process.execPath, [jest, ...options, ...paths], {
      cwd: project,
      env: { ...process.env, [reportFileVariable]: reportFile, [longVariable]: String(long) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    await new Promise((resolve) => child.once("close", resolve));
    const lines = readFileSync(reportFile, "utf8").split("\n").filter(Boolean);
    return resultsOf(
      JSON.parse(readFileSync(resultFile, "utf8")),
      lines.map((line) => JSON.parse(line)),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Joins jest's results with the reports, by file, in the order of the file names. */
const resultsOf = (results: JestResults, reports: Report[]): FileResult[] =>
  filesOf(results).map(({ path, file, failed, skipped }) => ({
    file,
    reports: reports.filter((report) => report.file === path),
    failed,
    skipped,
  }));
