/** Everything that an organisation does while it moves, by the client, which retries by itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../src/client/index.ts";
import { memory } from "./load.ts";

export type FullLoad = {
  /** Values of the memories whose creation was answered. */
  acknowledged: string[];
  /** Ids of the runs whose start was answered. */
  runs: string[];
  /** Ids of the runs in events of the live feed, in its order. */
  followed: string[];
  /** Ids of the runs whose own stream was read to its end. */
  watched: string[];
  /** Calls that failed after the retries of the client. */
  failed: unknown[];
  /** Responses that the client retried, by status. */
  retried: Map<number, number>;
  /** Time of each write from the moment at which it was due, in ms, retries included. */
  writeMs: number[];
  /** Ends the load, except the feed. */
  end(): Promise<void>;
  /** Ends streams, also of runs. */
  leave(): Promise<void>;
};

type Settings = {
  /** Of API processes. Calls go to them in turn. */
  urls: string[];
  key: string;
  bot: string;
  /** Writes are due at this rate, whether earlier ones were answered or not. */
  writesPerSecond: number;
  /** Between two calls of each other caller, in ms. Defaults to none. */
  pauseMs?: number;
};

/** Calls at a time. Without a bound, a server that is slow for a moment gets thousands of connections. */
const writerCount = 100;

export function startFullLoad({ urls, key, bot, writesPerSecond, pauseMs = 0 }: Settings): FullLoad {
  const retried = new Map<number, number>();
  const counting: typeof fetch = async (...of) => {
    const response = await fetch(...of);
    if (response.status >= 500) retried.set(response.status, (retried.get(response.status) ?? 0) + 1);
    return response;
  };
  const clients = urls.map((baseUrl) => createClient({ baseUrl, key, fetch: counting }));
  const clientOf = (number: number) => clients[number % clients.length] ?? (clients[0] as (typeof clients)[number]);
  const [acknowledged, runs, followed, watched, failed, writeMs] = [[], [], [], [], [], []] as [
    string[],
    string[],
    string[],
    string[],
    unknown[],
    number[],
  ];
  const isOver = new AbortController();
  const leaving = new AbortController();
  const { signal } = leaving;
  const note = (error: unknown) => void (signal.aborted || failed.push(error));

  async function write(number: number, due: number): Promise<void> {
    const value = `write ${number}`;
    await clientOf(number).post("/memories", { body: memory(value) });
    writeMs.push(performance.now() - due);
    acknowledged.push(value);
  }
  /** A write that waits for a connection counts from the moment at which it was due. */
  async function writers(): Promise<void> {
    const began = performance.now();
    let next = 0;
    const writer = async () => {
      while (!isOver.signal.aborted) {
        const number = next;
        next += 1;
        const due = began + (number / writesPerSecond) * 1_000;
        await sleep(Math.max(0, due - performance.now())); // the rate
        if (!isOver.signal.aborted) await write(number, due).catch(note);
      }
    };
    await Promise.all(Array.from({ length: writerCount }, writer));
  }
  const repeat = async (work: (number: number) => Promise<void>) => {
    for (let number = 0; !isOver.signal.aborted; number += 1) {
      await work(number).catch(note);
      await sleep(pauseMs); // between two calls of a caller
    }
  };
  const batch = async (number: number) => {
    const values = [`batch ${number} a`, `batch ${number} b`];
    const operations = values.map((value) => ({ method: "POST" as const, path: "/memories", body: memory(value) }));
    await clientOf(number).post("/batch", { body: { operations } });
    acknowledged.push(...values);
  };
  const read = async (number: number) => void (await clientOf(number).get("/memories", { query: { limit: 5 } }));
  const start = async (number: number) => {
    const run = await clientOf(number).post("/runs", { body: { botId: bot, message: "Harbour?" } });
    runs.push(run.id);
    return run.id;
  };
  /** The stream of a run is open from its start to its end. */
  const watchRun = async (number: number) => {
    const id = await start(number);
    for await (const { event } of clientOf(number).watch("/runs/{id}/events", { path: { id }, signal })) {
      if (event === "end") watched.push(id);
    }
  };
  const waitForRun = async (number: number) => {
    const id = await start(number);
    for (let state = "queued"; state === "queued" || state === "running"; ) {
      ({ state } = await clientOf(number).get("/runs/{id}", { path: { id }, query: { wait: 25 } }));
    }
  };
  const feed = (async () => {
    try {
      for await (const { data } of clientOf(0).follow({ event: "run.finished", signal })) {
        followed.push((data as { data: { runId: string } }).data.runId);
      }
    } catch (error) {
      note(error);
    }
  })();
  const working = Promise.all([writers(), repeat(batch), repeat(read), repeat(watchRun), repeat(waitForRun)]);
  return {
    ...{ acknowledged, runs, followed, watched, failed, retried, writeMs },
    async end() {
      isOver.abort();
      await working;
    },
    async leave() {
      isOver.abort();
      leaving.abort();
      await feed;
    },
  };
}

/** @param share 0.99 for p99 */
export function percentile(of: number[], share: number): number {
  return of.toSorted((one, other) => one - other)[Math.ceil(of.length * share) - 1] ?? 0;
}
