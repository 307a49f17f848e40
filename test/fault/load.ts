/**
 * A load of requests that start runs. Each client has its own key and waits for each response. Without a response it
 * retries with the same Idempotency-Key until the test ends.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../src/client/index.ts";
import { howMany } from "../support/reliability.ts";
import { testEnds } from "../support/test-ends.ts";
import { eventually } from "../support/worker.ts";
import { type Answer, notedFetch, oddAnswers } from "./noted-fetch.ts";

export type Caller = { key: string; bot: string };

export type Load = {
  /** The response to each try, oldest first. */
  answers: Answer[];
  /** Waits until this many more runs were acknowledged than when it is called. */
  untilMore(count: number, withinMs?: number): Promise<void>;
  /**
   * Ends the load when each caller has the answer that it waits for.
   *
   * @throws Error when a caller was refused, or got an unexpected response to a try
   */
  stop(): Promise<void>;
};

/**
 * With 300 requests a minute to a key, a caller has room for its tries while the service is away. The short form shares
 * its processors with other files.
 */
const pauseMs = howMany(600, 300);

/** @param acknowledged receives the id of each run that a caller got a 202 for */
export function startLoad(baseUrl: string, callers: Caller[], acknowledged: string[]): Load {
  const answers: Answer[] = [];
  const signal = testEnds();
  let stopped = false;
  const retries = { maxRetries: Number.POSITIVE_INFINITY, backoffMs: 100, maxDelayMs: 800, timeoutMs: 10_000 };
  const calling = Promise.all(
    callers.map(async ({ key, bot }) => {
      const client = createClient({ baseUrl, key, ...retries, fetch: notedFetch(answers) });
      while (!stopped) {
        const { id } = await client.post("/runs", {
          body: { botId: bot, message: "What do you know of the harbour?" },
          signal,
        });
        acknowledged.push(id);
        await sleep(pauseMs); // between two calls of a client
      }
    }),
  );
  calling.catch(() => {}); // stop() reports it
  return {
    answers,
    async untilMore(count, withinMs) {
      const wanted = acknowledged.length + count;
      await Promise.race([eventually(async () => acknowledged.length >= wanted, withinMs), calling]);
    },
    async stop() {
      stopped = true;
      await calling;
      const odd = oddAnswers(answers).map(({ status, code }) => `${status} ${code}`);
      if (odd.length > 0) throw new Error(`Callers got unexpected responses: ${[...new Set(odd)].join(", ")}.`);
    },
  };
}
