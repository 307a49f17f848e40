/** Jest as a process of its own, and what its tests told. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { longVariable, type Told, toldVariable } from "../../test/support/reliability.ts";
import type { FileResult } from "./summary.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

/** Of what jest writes with --json, what is read here. */
type Report = {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

export type Run = {
  /** Which files, as jest takes patterns. */
  paths: string[];
  long: boolean;
  /** A configuration in place of the project's. */
  config?: string | undefined;
};

/** Jest's own report goes to standard error. @throws Error when jest did not get as far as to write one. */
export async function runTests({ paths, long, config }: Run): Promise<FileResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-reliability-"));
  const [told, report] = [join(folder, "told"), join(folder, "report.json")];
  writeFileSync(told, "");
  try {
    // One file at a time: two faults at once would each be the other's. What a failed test left open keeps nobody waiting.
    const options = ["--runInBand", "--forceExit", "--json", `--outputFile=${report}`];
    if (config) options.push("--config", config);
    const jest = join(project, "node_modules/jest/bin/jest.js");
    const child = spawn(process.execPath, ["--experimental-vm-modules", jest, ...options, ...paths], {
      cwd: project,
      env: { ...process.env, [toldVariable]: told, [longVariable]: String(long) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    await new Promise((resolve) => child.once("close", resolve));
    const lines = readFileSync(told, "utf8").split("\n").filter(Boolean);
    return resultsOf(
      JSON.parse(readFileSync(report, "utf8")),
      lines.map((line) => JSON.parse(line)),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By file, in the order of their names. */
export function resultsOf({ testResults }: Report, told: Told[]): FileResult[] {
  return testResults
    .map(({ name, message, assertionResults }) => {
      const of = (status: string) => assertionResults.filter((test) => test.status === status);
      const failed = of("failed").map(({ fullName, failureMessages }) => ({
        test: fullName,
        why: firstLine(failureMessages[0] ?? ""),
      }));
      // A file that jest could not run has no tests to fail.
      if (assertionResults.length === 0) failed.push({ test: "the file", why: firstLine(message) });
      return {
        file: relative(project, name),
        told: told.filter(({ file }) => file === name),
        failed,
        leftOut: of("pending").map(({ fullName }) => fullName),
      };
    })
    .sort((one, other) => one.file.localeCompare(other.file));
}

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

const firstLine = (text: string): string => text.replaceAll(colours, "").trim().split("\n")[0] ?? "";
