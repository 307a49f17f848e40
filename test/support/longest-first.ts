/**
 * Order of the test files: the long suites first, then by size, so that no long file runs alone at the end. Files of
 * test/fault mostly wait, so others, which use the processors, run between them.
 */
import { statSync } from "node:fs";
import sequencer from "@jest/test-sequencer";
import { faultSuites } from "../fault-suites.ts";

const TestSequencer = sequencer as unknown as typeof sequencer.default; // its types describe the CommonJS file

type Tests = Parameters<InstanceType<typeof TestSequencer>["sort"]>[0];

/** Jest's own order needs the durations of an earlier run, which a fresh clone lacks. */
export default class LongestFirst extends TestSequencer {
  override sort(tests: Tests) {
    const ranked = tests
      .map((test) => ({ test, rank: rankOf(test), size: statSync(test.path).size }))
      .sort((one, other) => one.rank - other.rank || other.size - one.size)
      .map(({ test }) => test);
    const { waiting = [], busy = [] } = Object.groupBy(ranked, ({ path }) =>
      path.includes("/test/fault/") ? "waiting" : "busy",
    );
    return busy.flatMap((test, place) => [...waiting.slice(place, place + 1), test]).concat(waiting.slice(busy.length));
  }
}

function rankOf({ path }: Tests[number]): number {
  const rank = faultSuites.findIndex((suite) => path.includes(`/test/${suite}`));
  return rank === -1 ? faultSuites.length : rank;
}
