/** Reads the file that jest writes with --json. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));

/** The part of jest's results that this file reads. */
export type JestResults = {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

export type FileTests = {
  /** Absolute path. */
  path: string;
  /** Path from the project's folder. */
  file: string;
  passed: number;
  failed: { test: string; why: string }[];
  skipped: string[];
};

/** The test files of a run, in the order of their names. */
export function filesOf({ testResults }: JestResults): FileTests[] {
  return testResults
    .map(({ name, status, message, assertionResults }) => {
      const withStatus = (of: string) => assertionResults.filter((test) => test.status === of);
      const [passed, failing] = [withStatus("passed"), withStatus("failed")];
      const failed = failing.map(({ fullName, failureMessages }) => ({
        test: fullName,
        why: reasonOf(failureMessages[0] ?? ""),
      }));
      // A file can also fail while jest loads it, or in `afterAll`.
      if (status === "failed" && failed.length === 0) failed.push({ test: "the file", why: reasonOf(message) });
      const skipped = assertionResults.filter((test) => !passed.includes(test) && !failing.includes(test));
      return {
        path: name,
        file: relative(project, name),
        passed: passed.length,
        failed,
        skipped: skipped.map(({ fullName }) => fullName),
      };
    })
    .sort((one, other) => one.file.localeCompare(other.file));
}

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** The message of a failure without its stack, on one line of at most 300 characters. */
const reasonOf = (message: string): string =>
  (message.replaceAll(colours, "").split(/\n\s+at /)[0] ?? "").trim().replace(/\s+/g, " ").slice(0, 300);
