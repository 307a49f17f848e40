/** Writers, batches, run starts and a reader of the event feed, as clients that find the cell of their organisation by trying. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallOptions, Json, Reply, TestApi } from "../support/api.ts";

export const memory = (value: string) => ({ scope: "organisation" as const, kind: "note", subject: "Harbour", value });

export type Load = {
  /** Values of the memories whose creation was answered. */
  acknowledged: string[];
  /** Ids of the runs whose start was answered. */
  runs: string[];
  /** Ids of the runs in events that were read, in the order of the feed. */
  read: string[];
  readFeed(): Promise<void>;
  /** Ends it. @returns how long the slowest creation took, retries included, in ms. @throws Error of a call that failed */
  end(): Promise<number>;
};

/** The pause of a caller between its calls, in ms: without one, the load takes all processors from other tests. */
export const pauseMs = 10;

export function startLoad([from, to]: [TestApi, TestApi], key: string, bot: string): Load {
  let here = from;
  /** As the client does: retries a 503 under the same Idempotency-Key, at the other cell. */
  async function send(method: string, path: string, call: CallOptions): Promise<Reply<Json>> {
    for (let at = here; ; ) {
      const reply = await at.call(method, path, { key, ...call });
      if (reply.status !== 503) {
        if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.status} ${reply.text}`);
        return reply;
      }
      at = at === from ? to : from;
      here = at;
      await sleep(20); // as the client waits before it retries
    }
  }
  let isOver = false;
  const acknowledged: string[] = [];
  const runs: string[] = [];
  const read: string[] = [];
  let longestMs = 0;
  const writer = async (name: string) => {
    for (let number = 1; !isOver; number += 1) {
      const value = `${name} ${number}`;
      const began = performance.now();
      await send("POST", "/memories", { body: memory(value), idempotencyKey: `memory-${name}-${number}-key` });
      longestMs = Math.max(longestMs, performance.now() - began);
      acknowledged.push(value);
      await sleep(pauseMs); // between two calls of a caller
    }
  };
  const batches = async () => {
    for (let number = 1; !isOver; number += 1) {
      const values = [`batch ${number} a`, `batch ${number} b`];
      const operations = values.map((value) => ({ method: "POST", path: "/memories", body: memory(value) }));
      await send("POST", "/batch", { body: { operations }, idempotencyKey: `batch-${number}-batch-key` });
      acknowledged.push(...values);
      await sleep(pauseMs); // between two calls of a caller
    }
  };
  const starter = async () => {
    for (let number = 1; !isOver; number += 1) {
      const reply = await send("POST", "/runs", {
        body: { botId: bot, message: "Harbour?" },
        idempotencyKey: `run-number-${number}-key`,
      });
      runs.push(reply.body.id);
      await sleep(200); // the rate of runs
    }
  };
  let cursor = "";
  const readFeed = async () => {
    const page = await send("GET", `/events?limit=50&event=run.finished${cursor && `&after=${cursor}`}`, {});
    cursor = page.body.position;
    read.push(...page.body.data.map(({ data }: Json) => data.runId));
  };
  const reader = async () => {
    for (; !isOver; await sleep(50)) await readFeed(); // polls
  };
  const working = Promise.all([writer("first"), writer("second"), batches(), starter(), reader()]);
  return {
    acknowledged,
    runs,
    read,
    readFeed,
    async end() {
      isOver = true;
      await working;
      return longestMs;
    },
  };
}
