/**
 * How the tour speaks: a numbered line for each step, what was found in it below. A step that does not go as told ends
 * the tour.
 */

/** What came was not what the tour tells: its message says both. */
export class NotAsTold extends Error {}

/** Something around the tour is missing: its message says what to do. */
export class NotPossible extends Error {}

export type Teller = {
  /** Tells what is about to be done. */
  step(title: string): void;
  /** Tells what was found. */
  found(...lines: string[]): void;
};

export function makeTeller(write: (text: string) => void): Teller {
  let number = 0;
  return {
    step(title) {
      number += 1;
      write(`\n${String(number).padStart(2)}. ${title}\n`);
    },
    found(...lines) {
      for (const line of lines) write(`    ${line.replaceAll("\n", "\n    ")}\n`);
    },
  };
}

/** @throws NotAsTold unless it holds. */
export function asTold(holds: boolean, told: string, came: unknown): asserts holds {
  if (!holds) throw new NotAsTold(`Told was: ${told}. What came is: ${JSON.stringify(came)}`);
}
