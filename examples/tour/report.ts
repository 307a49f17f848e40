/** Prints the tour: a numbered line per step, followed by its results. */

/** A step had an unexpected result. The message has both the expectation and the result. */
class UnexpectedResult extends Error {}

/** The tour cannot run here. The message says why. */
export class CannotRun extends Error {}

export type Report = {
  /** Prints the title of the next step. */
  step(title: string): void;
  /** Prints results of the step. */
  result(...lines: string[]): void;
};

export function makeReport(write: (text: string) => void): Report {
  let number = 0;
  return {
    step(title) {
      number += 1;
      write(`\n${String(number).padStart(2)}. ${title}\n`);
    },
    result(...lines) {
      for (const line of lines) write(`    ${line.replaceAll("\n", "\n    ")}\n`);
    },
  };
}

/** @throws UnexpectedResult if the condition is false */
export function expectThat(condition: boolean, expectation: string, actual: unknown): asserts condition {
  if (!condition) throw new UnexpectedResult(`Expected: ${expectation}. Actual: ${JSON.stringify(actual)}`);
}
