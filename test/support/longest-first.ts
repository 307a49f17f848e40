/** Order of the test files: the fault suites first, then by size, so that no long file runs alone at the end. */
import { statSync } from "node:fs";
import sequencer from "@jest/test-sequencer";
import { faultSuites } from "../fault-suites.ts";

const TestSequencer = sequencer as unknown as typeof sequencer.default; // its types describe the CommonJS file

/** Jest's own order needs the durations of an earlier run, which a fresh clone lacks. */
export default class LongestFirst extends TestSequencer {
  override sort(tests: Parameters<InstanceType<typeof TestSequencer>["sort"]>[0]) {
    const ranked = tests.map((test) => ({ test, rank: rankOf(test), size: statSync(test.path).size }));
    return ranked.sort((one, other) => one.rank - other.rank || other.size - one.size).map(({ test }) => test);
  }
}

function rankOf({ path }: { path: string }): number {
  const rank = faultSuites.findIndex((suite) => path.includes(`/test/${suite}`));
  return rank === -1 ? faultSuites.length : rank;
}
