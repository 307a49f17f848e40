import { whenTestEnds } from "./test-ends.ts";

/** Closes this when the current test ends, last opened first. Returns it. */
export function opening<T extends { close(): Promise<void> }>(each: T): T {
  whenTestEnds(() => each.close());
  return each;
}
