/**
 * A load of starts of runs, by clients as the README recommends them: each has a key of its own, waits for its answer,
 * and asks again under the same Idempotency-Key for as long as there is none, and the test goes on.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../src/client/index.ts";
import { testEnds } from "../support/test-ends.ts";
import { eventually } from "../support/worker.ts";

export type Caller = { key: string; bot: string };

/** One answer to one try, or its failing: then `status` is 0. `code` is the envelope's, undefined without one. */
export type Answer = { at: number; tookMs: number; status: number; code: string | undefined; replayed: boolean };

export type Load = {
  /** What the API said to each try, oldest first. */
  answers: Answer[];
  /** Waits until this many more runs were acknowledged than when it is called. */
  untilMore(count: number, withinMs?: number): Promise<void>;
  /** Ends the load when each caller has the answer that it waits for. @throws Error when one was refused. */
  stop(): Promise<void>;
};

/** With 300 requests a minute to a key, a caller has room for its tries while the service is away. */
const pauseMs = 300;

/** @param acknowledged is given the id of each run for which a caller was told 202 */
export function startLoad(baseUrl: string, callers: Caller[], acknowledged: string[]): Load {
  const answers: Answer[] = [];
  const signal = testEnds();
  let stopped = false;
  const watched: typeof fetch = async (url, init) => {
    const began = performance.now();
    const note = (status: number, code?: string, replayed = false) =>
      answers.push({ at: began, tookMs: performance.now() - began, status, code, replayed });
    try {
      const response = await fetch(url, init);
      const body = (await response.clone().json()) as { error?: { code: string } };
      note(response.status, body.error?.code, response.headers.get("idempotent-replayed") === "true");
      return response;
    } catch (error) {
      note(0);
      throw error;
    }
  };
  const patience = { maxRetries: Number.POSITIVE_INFINITY, backoffMs: 100, maxDelayMs: 800, timeoutMs: 10_000 };
  const calling = Promise.all(
    callers.map(async ({ key, bot }) => {
      const client = createClient({ baseUrl, key, ...patience, fetch: watched });
      while (!stopped) {
        const { id } = await client.post("/runs", {
          body: { botId: bot, message: "What do you know of the harbour?" },
          signal,
        });
        acknowledged.push(id);
        await sleep(pauseMs);
      }
    }),
  );
  calling.catch(() => {}); // told by stop
  return {
    answers,
    async untilMore(count, withinMs = 60_000) {
      const wanted = acknowledged.length + count;
      await Promise.race([eventually(async () => acknowledged.length >= wanted, withinMs), calling]);
    },
    async stop() {
      stopped = true;
      await calling;
    },
  };
}
