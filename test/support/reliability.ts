/**
 * Counts that tests of test/fault and test/hostile report to `npm run test:fault` (tools/fault), and how often a test
 * repeats its fault. A test of these folders that reports nothing fails (log-messages.ts).
 */
import { appendFileSync } from "node:fs";

export type Counts = {
  /** Effects acknowledged to callers; in tests without effects, answers that were correct. */
  acknowledged: number;
  /** Acknowledged effects that are missing or different afterwards. */
  lost: number;
  /** Effects that exist more often than requested. */
  doubled: number;
  /** Other faults: an answer without the error envelope, a late answer, an unexplained state. */
  unexpected: number;
  note?: string;
};

/** One line of the report file. */
export type Report = Counts & { file: string; name: string };

/** Environment variables that `npm run test:fault` sets: the report file, and whether to run the long form. */
export const reportFileVariable = "RELIABILITY_REPORT_FILE";
export const longVariable = "RELIABILITY_LONG";

/** Whether the long form runs, which repeats faults often enough to see rare failures. */
export const long = process.env[longVariable] === "true";

/** Returns the number of repetitions for the form that runs. */
export const howMany = (short: number, inLong: number): number => (long ? inLong : short);

const reported = new Set<string>();

/**
 * Reports the counts of a test. Call it after comparing and before an expectation can throw. The summary adds up reports
 * of the same name.
 */
export function reportCounts(name: string, counts: Counts): void {
  const { testPath: file = "", currentTestName = "" } = expect.getState();
  reported.add(currentTestName);
  const to = process.env[reportFileVariable];
  if (to) appendFileSync(to, `${JSON.stringify({ file, name, ...counts } satisfies Report)}\n`);
}

/** Pairs of expected and actual values. */
export type Came = [wanted: unknown, is: unknown][];

/** Reports how many values match, and fails for the others. */
export function expectAll(name: string, came: Came): void {
  const wrong = came.filter(([wanted, is]) => JSON.stringify(wanted) !== JSON.stringify(is));
  reportCounts(name, { acknowledged: came.length - wrong.length, lost: 0, doubled: 0, unexpected: wrong.length });
  expect(wrong).toEqual([]);
}

/** Whether the running test has reported counts. */
export const hasReported = (): boolean => reported.has(expect.getState().currentTestName ?? "");
