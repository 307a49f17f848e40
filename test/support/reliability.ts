/**
 * What tests of faults and of hostile input count, told to `npm run test:fault`, which sums it up (tools/fault); and how
 * often they do it. Every test of test/fault and test/hostile tells: one that did not has failed (told.ts).
 */
import { appendFileSync } from "node:fs";

export type Counts = {
  /** What callers were told is done; where nothing is, what was answered as it should be. */
  acknowledged: number;
  /** Of that, what is not there afterwards, or not as it was told. */
  lost: number;
  /** Effects that are there more often than they were asked for. */
  doubled: number;
  /** Whatever else must not be: an answer without our envelope or out of time, a state that nothing explains. */
  unexpected: number;
  note?: string;
};

/** One line of the file that is told to. */
export type Told = Counts & { file: string; name: string };

/** Set by `npm run test:fault`: the file that is told to, and whether the long form is asked for. */
export const toldVariable = "RELIABILITY_TOLD";
export const longVariable = "RELIABILITY_LONG";

/** The form that runs outside CI, with counts that show what is rare. */
export const long = process.env[longVariable] === "true";

/** How often something is done, in either form. */
export const howMany = (short: number, inLong: number): number => (long ? inLong : short);

const told = new Set<string>();

/**
 * Called by a test's oracle, after it has compared and before an expectation throws. What is told twice under one name is
 * one line of the summary.
 *
 * @param name what was done, as the summary says it
 */
export function tell(name: string, counts: Counts): void {
  const { testPath: file = "", currentTestName = "" } = expect.getState();
  told.add(currentTestName);
  const to = process.env[toldVariable];
  if (to) appendFileSync(to, `${JSON.stringify({ file, name, ...counts } satisfies Told)}\n`);
}

/** Pairs of what had to come of something and what came. */
export type Came = [wanted: unknown, is: unknown][];

/** Told with how many came to what they had to, and fails for the others. */
export function expectAll(name: string, came: Came): void {
  const wrong = came.filter(([wanted, is]) => JSON.stringify(wanted) !== JSON.stringify(is));
  tell(name, { acknowledged: came.length - wrong.length, lost: 0, doubled: 0, unexpected: wrong.length });
  expect(wrong).toEqual([]);
}

/** Whether the test that runs has told something. */
export const hasTold = (): boolean => told.has(expect.getState().currentTestName ?? "");
