/** The tests of the specification. Each belongs to a sentence and has its anchor and its fact as title. */
import { sentences } from "./sentences.ts";

const tested = new Set<string>();

/** @param anchor of `sentences`; each has one test */
export function specifies(anchor: string, run: () => Promise<void>): void {
  const fact = sentences[anchor];
  if (fact === undefined) throw new Error(`No sentence has the anchor ${anchor}.`);
  if (tested.has(anchor)) throw new Error(`Two tests have the anchor ${anchor}.`);
  tested.add(anchor);
  test(`${anchor}: ${fact}`, run);
}

export const anchorsWithoutTest = (): string[] => Object.keys(sentences).filter((anchor) => !tested.has(anchor));
