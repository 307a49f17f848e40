/** Clients that stream the events of a run or wait for its end, and an oracle that compares them with its history. */
import { type Client as ApiClient, createClient } from "../../src/client/index.ts";
import { type Counts, reportCounts } from "../support/reliability.ts";
import { testEnds } from "../support/test-ends.ts";
import { eventually } from "../support/worker.ts";
import type { Sql } from "./evidence.ts";
import { type Answer, notedFetch, oddAnswers } from "./noted-fetch.ts";

export type Watchers = {
  /** Waits until each watcher has received `count` events. */
  untilNotified(count: number): Promise<void>;
  /** Number of streams opened, including failed tries. */
  streams(): number;
  /** Responses to the waiting clients, one for each try. */
  answers: Answer[];
  /** For each waiting client, the run states that it received. */
  states: string[][];
  /** Waits until all clients know that the run ended, compares them with the history, and reports the counts. */
  expectNothingLost(fault: string, sql: Sql): Promise<void>;
};

const retries = { maxRetries: Number.POSITIVE_INFINITY, backoffMs: 50, maxDelayMs: 400 };
const underWay = new Set(["queued", "running"]);

/** @param each number of watchers, and of waiting clients */
export function watchRun({ url, key, id, each }: { url: string; key: string; id: string; each: number }): Watchers {
  const signal = testEnds();
  const answers: Answer[] = [];
  let streams = 0;
  const counting: typeof fetch = (address, init) => {
    streams += 1;
    return fetch(address, init);
  };
  const watching = createClient({ baseUrl: url, key, ...retries, fetch: counting });
  const waiting = createClient({ baseUrl: url, key, ...retries, fetch: notedFetch(answers) });

  const received: string[][] = Array.from({ length: each }, () => []);
  const states: string[][] = Array.from({ length: each }, () => []);
  const all = Promise.all([
    ...received.map((heard) => watch(watching, id, heard, signal)),
    ...states.map(async (heard) => {
      do {
        const { state } = await waiting.get("/runs/{id}", { path: { id }, query: { wait: 25 }, signal });
        heard.push(state);
      } while (underWay.has(heard.at(-1) ?? ""));
    }),
  ]);
  all.catch(() => {}); // expectNothingLost reports it
  return {
    answers,
    states,
    streams: () => streams,
    untilNotified: (count) => eventually(async () => received.every(({ length }) => length >= count)),
    async expectNothingLost(fault, sql) {
      await all;
      const history = await watch(watching, id, [], signal);
      const counts = countNotified(history, received, states);
      counts.unexpected += oddAnswers(answers).length;
      reportCounts(fault, counts);
      const [there] = await sql("select count(*)::integer as events from app.run_events where run_id = $1", [id]);
      expect(there).toEqual({ events: history.length });
      expect(counts).toMatchObject({ lost: 0, doubled: 0, unexpected: 0 });
    },
  };
}

/** One line for each event. */
async function watch(client: ApiClient, id: string, heard: string[], signal: AbortSignal): Promise<string[]> {
  for await (const received of client.watch("/runs/{id}/events", { path: { id }, signal }))
    heard.push(JSON.stringify(received));
  return heard;
}

/** @param notified the events of each watcher @param states the states of each waiting client; the last must be final */
export function countNotified(history: string[], received: string[][], states: string[][]): Counts {
  const known = new Map(history.map((event, place) => [event, place]));
  const counts = { acknowledged: received.flat().length + states.length, lost: 0, doubled: 0, unexpected: 0 };
  for (const heard of received) {
    const once = new Set(heard);
    counts.lost += history.filter((event) => !once.has(event)).length;
    counts.doubled += heard.length - once.size;
    const places = [...once].map((event) => known.get(event) ?? -1);
    counts.unexpected += places.filter((place, nth) => place < Math.max(0, ...places.slice(0, nth))).length;
  }
  counts.lost += states.filter((heard) => heard.at(-1) !== "completed").length;
  return counts;
}
