/** Who watches a run and who waits for it, by the project's client; and the oracle that holds what they were told against its history. */
import { type Client as ApiClient, createClient } from "../../src/client/index.ts";
import { type Counts, tell } from "../support/reliability.ts";
import { testEnds } from "../support/test-ends.ts";
import { eventually } from "../support/worker.ts";
import type { Sql } from "./evidence.ts";
import { type Answer, notedFetch, oddAnswers } from "./noted-fetch.ts";

export type Watchers = {
  /** Waits until each who watches was told so many events. */
  untilTold(count: number): Promise<void>;
  /** How many streams they have opened, and tried to. */
  streams(): number;
  /** What those who wait were answered, try by try. */
  answers: Answer[];
  /** Of each who waits, the states in which it was told the run. */
  states: string[][];
  /** The end of each fault, when the run has ended: waits until all have heard so, holds all against all, and tells the counts. */
  expectNothingLost(fault: string, sql: Sql): Promise<void>;
};

const patience = { maxRetries: Number.POSITIVE_INFINITY, backoffMs: 50, maxDelayMs: 400 };
const underWay = new Set(["queued", "running"]);

/** @param each of who watches, and of who waits */
export function watchRun({ url, key, id, each }: { url: string; key: string; id: string; each: number }): Watchers {
  const signal = testEnds();
  const answers: Answer[] = [];
  let streams = 0;
  const counting: typeof fetch = (address, init) => {
    streams += 1;
    return fetch(address, init);
  };
  const watching = createClient({ baseUrl: url, key, ...patience, fetch: counting });
  const waiting = createClient({ baseUrl: url, key, ...patience, fetch: notedFetch(answers) });

  const told: string[][] = Array.from({ length: each }, () => []);
  const states: string[][] = Array.from({ length: each }, () => []);
  const all = Promise.all([
    ...told.map((heard) => watch(watching, id, heard, signal)),
    ...states.map(async (heard) => {
      do {
        const { state } = await waiting.get("/runs/{id}", { path: { id }, query: { wait: 25 }, signal });
        heard.push(state);
      } while (underWay.has(heard.at(-1) ?? ""));
    }),
  ]);
  all.catch(() => {}); // told at the end
  return {
    answers,
    states,
    streams: () => streams,
    untilTold: (count) => eventually(async () => told.every(({ length }) => length >= count), 20_000),
    async expectNothingLost(fault, sql) {
      await all;
      const history = await watch(watching, id, [], signal);
      const counts = countTold(history, told, states);
      counts.unexpected += oddAnswers(answers).length;
      tell(fault, counts);
      const [there] = await sql("select count(*)::integer as events from app.run_events where run_id = $1", [id]);
      expect(there).toEqual({ events: history.length });
      expect(counts).toMatchObject({ lost: 0, doubled: 0, unexpected: 0 });
    },
  };
}

/** Every event in one line. */
async function watch(client: ApiClient, id: string, heard: string[], signal: AbortSignal): Promise<string[]> {
  for await (const told of client.watch("/runs/{id}/events", { path: { id }, signal }))
    heard.push(JSON.stringify(told));
  return heard;
}

/** @param told of each who watched, what it heard @param states of each who waited, the last of which is the end */
export function countTold(history: string[], told: string[][], states: string[][]): Counts {
  const known = new Map(history.map((event, place) => [event, place]));
  const counts = { acknowledged: told.flat().length + states.length, lost: 0, doubled: 0, unexpected: 0 };
  for (const heard of told) {
    const once = new Set(heard);
    counts.lost += history.filter((event) => !once.has(event)).length;
    counts.doubled += heard.length - once.size;
    const places = [...once].map((event) => known.get(event) ?? -1);
    counts.unexpected += places.filter((place, nth) => place < Math.max(0, ...places.slice(0, nth))).length;
  }
  counts.lost += states.filter((heard) => heard.at(-1) !== "completed").length;
  return counts;
}
