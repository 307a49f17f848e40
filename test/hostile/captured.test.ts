/**
 * A captured executor is harmless: its login makes random and mutated calls in two twins, which differ only in secrets of others. All
 * that it gets is equal, nothing outside its runs changes, and a tainted run writes nothing without an approval. Times are left out.
 * (docs/reliability.md#a-captured-executor)
 *
 * HOSTILE_SEED and HOSTILE_ROUNDS extend the test. A failure prints its seed and the smallest failing sequence.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { DatabaseError } from "pg";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { commandsOf } from "./captured/commands.ts";
import { type Judge, openJudge } from "./captured/judge.ts";
import { openNeighbour } from "./captured/neighbour.ts";
import { plants } from "./captured/plants.ts";
import { openTwins } from "./captured/twins.ts";

const seed = Number(process.env.HOSTILE_SEED ?? 4711);
/** Sequences, and the greatest number of calls of one. */
const rounds = Number(process.env.HOSTILE_ROUNDS ?? howMany(4, 480));
const maxCalls = howMany(600, 3_000);

let here: Judge;
beforeAll(async () => {
  await startCluster(); // of its own: it has a login of an executor
  here = await openJudge(await openTwins());
});
afterAll(async () => {
  await here?.close();
  await stopCluster();
});

test(
  "an executor's login sees, changes and launders nothing outside its runs",
  async () => {
    const { twins, catalogue, calls } = here;
    const commands = commandsOf(twins, catalogue, { minLength: maxCalls / 2, maxLength: maxCalls });
    const property = fc.asyncProperty(commands, (each) => here.judge(each));
    const outcome = await fc.check(property, { seed, numRuns: rounds, unbiased: true });
    reportCounts("calls of a captured executor", {
      ...{ acknowledged: calls.made, lost: 0, doubled: 0, unexpected: outcome.failed ? 1 : 0 },
      note: `in each of two twins, ${calls.answered} with a result, ${outcome.numRuns} sequences, seed ${seed}`,
    });
    if (outcome.failed) {
      const shown = `Seed ${seed}, ${outcome.numShrinks} shrinks: ${outcome.counterexample}`;
      throw new Error(shown, { cause: outcome.errorInstance });
    }
    expect(calls.answered).toBeGreaterThan(calls.made / 4);
    const log = readFileSync(join(twins.db.dataDir, "postgres.log"), "utf8");
    expect(log).not.toMatch(/kestrel|buzzard/);
  },
  600_000 + rounds * 60_000,
);

test("answers and streams of another organisation stay equal byte for byte", async () => {
  const { twins, catalogue } = here;
  const neighbour = await openNeighbour(twins);
  const before = await neighbour.answers();
  const commands = commandsOf(twins, catalogue, { minLength: 250, maxLength: 300, isQuiet: true });
  const [sequence = []] = fc.sample(commands, { seed, numRuns: 1 });
  await fc.asyncModelRun(() => ({ model: {}, real: neighbour.pair }), sequence);
  const after = await neighbour.answers();
  const streamed = neighbour.streamed();
  await neighbour.close();
  const changed = Object.keys(before).filter((path) => after[path] !== before[path]);
  reportCounts("answers to a neighbour of a captured executor", {
    ...{ acknowledged: Object.keys(before).length, lost: changed.length, doubled: 0, unexpected: streamed.length },
    note: `compared before and after ${sequence.length} calls`,
  });
  expect([changed, streamed]).toEqual([[], []]);
  expect(Object.values(before).filter((answer) => answer.startsWith("200")).length).toBeGreaterThan(20);
});

test("each planted leak is found", async () => {
  const { twins, catalogue } = here;
  const commands = commandsOf(twins, catalogue, { minLength: 100, maxLength: 150 });
  const lengths: number[] = [];
  const missed: string[] = [];
  const broken: string[] = [];
  for (const [name, plant] of Object.entries(plants)) {
    let failures = 0;
    let shrinks = 0;
    const property = fc.asyncProperty(commands, async (each) => {
      if (failures > 0 && ++shrinks > howMany(0, 60)) return; // each takes a pair of databases
      await here.judge(each, plant).catch((error) => {
        // The database refused the plant, or a statement of the judge: the executor's own errors are answers.
        if (error instanceof DatabaseError) broken.push(`${name}: ${error.message}`);
        failures += 1;
        throw error;
      });
    });
    const { failed, counterexample } = await fc.check(property, { seed: 1, numRuns: 30, unbiased: true });
    if (!failed) missed.push(name);
    else lengths.push(counterexample?.[0].length ?? 0);
  }
  reportCounts("planted leaks of a captured executor", {
    ...{ acknowledged: lengths.length, lost: missed.length, doubled: 0, unexpected: 0 },
    note: `found, in sequences of ${lengths.toSorted((a, b) => a - b)[lengths.length >> 1]} calls (median)`,
  });
  expect([missed, broken]).toEqual([[], []]);
});
