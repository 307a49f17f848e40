/**
 * A load of starts of runs, by clients as the README recommends them: each has a key of its own, waits for its answer,
 * and asks again under the same Idempotency-Key for as long as there is none, and the test goes on.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../src/client/index.ts";
import { testEnds } from "../support/test-ends.ts";
import { eventually } from "../support/worker.ts";
import { type Answer, notedFetch, oddAnswers } from "./noted-fetch.ts";

export type Caller = { key: string; bot: string };

export type Load = {
  /** What the API said to each try, oldest first. */
  answers: Answer[];
  /** Waits until this many more runs were acknowledged than when it is called. */
  untilMore(count: number, withinMs?: number): Promise<void>;
  /**
   * Ends the load when each caller has the answer that it waits for.
   *
   * @throws Error when one was refused, or was told what nobody should be before it was
   */
  stop(): Promise<void>;
};

/** With 300 requests a minute to a key, a caller has room for its tries while the service is away. */
const pauseMs = 300;

/** @param acknowledged is given the id of each run for which a caller was told 202 */
export function startLoad(baseUrl: string, callers: Caller[], acknowledged: string[]): Load {
  const answers: Answer[] = [];
  const signal = testEnds();
  let stopped = false;
  const patience = { maxRetries: Number.POSITIVE_INFINITY, backoffMs: 100, maxDelayMs: 800, timeoutMs: 10_000 };
  const calling = Promise.all(
    callers.map(async ({ key, bot }) => {
      const client = createClient({ baseUrl, key, ...patience, fetch: notedFetch(answers) });
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
      const odd = oddAnswers(answers).map(({ status, code }) => `${status} ${code}`);
      if (odd.length > 0) throw new Error(`Callers were told what nobody should be: ${[...new Set(odd)].join(", ")}.`);
    },
  };
}
