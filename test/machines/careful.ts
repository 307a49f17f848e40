/**
 * Callers who check what they were told: each writes a claim of its own, reads it at once, and goes on, by the project's
 * client, which asks again where it was not answered. And the oracle that compares what they were told with what is there.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { BotsteadError, createClient } from "../../src/client/index.ts";
import { type Answer, notedFetch, oddAnswers } from "../fault/noted-fetch.ts";
import type { Counts } from "../support/reliability.ts";
import { testEnds } from "../support/test-ends.ts";
import { eventually } from "../support/worker.ts";
import type { Fleet } from "./fleet.ts";

export type Careful = {
  /** Waits until this many more claims were written and read than when it is called. */
  untilMore(count: number): Promise<void>;
  /** What was told since the last count, held against the database. */
  count(sql: Fleet["sql"]): Promise<Counts>;
  /** Ends when each caller has the answer that it waits for. One that is never stopped ends with its test. */
  stop(): Promise<void>;
};

/** With 300 requests a minute to a key and process. */
const pauseMs = 250;

export function startCareful(baseUrl: string, keys: string[]): Careful {
  /** Of each claim that was acknowledged its id, by its subject. */
  let written = new Map<string, string>();
  let troubles: string[] = [];
  const answers: Answer[] = [];
  let total = 0;
  const signal = testEnds();
  let stopped = false;
  const mark = randomUUID();
  const patience = { maxRetries: Number.POSITIVE_INFINITY, backoffMs: 100, maxDelayMs: 800, timeoutMs: 10_000 };
  const working = keys.map(async (key, caller) => {
    const client = createClient({ baseUrl, key, ...patience, fetch: notedFetch(answers) });
    for (let round = 0; !stopped && !signal.aborted; round += 1) {
      const subject = `Claim ${mark} ${caller}.${round}`;
      try {
        const body = { scope: "organisation", kind: "note", subject, value: "Deep." } as const;
        const { id } = await client.post("/memories", { body, signal });
        written.set(subject, id);
        const read = await client.get("/memories/{id}", { path: { id }, signal });
        if (read.subject !== subject) troubles.push(`${subject} reads as ${read.subject}`);
        total += 1;
      } catch (error) {
        troubles.push(`${subject}: ${error instanceof BotsteadError ? `${error.status} ${error.code}` : error}`);
      }
      await sleep(pauseMs);
    }
  });
  return {
    async untilMore(count) {
      const wanted = total + count;
      await eventually(async () => total >= wanted, 60_000);
    },
    async count(sql) {
      const odd = oddAnswers(answers.splice(0)).map(({ status, code }) => `answered ${status} ${code}`);
      const [told, unexpected] = [written, [...troubles, ...odd]];
      [written, troubles] = [new Map(), []];
      const rows = await sql<{ id: string; subject: string }>(
        "select id, subject from app.memories where subject = any ($1)",
        [[...told.keys()]],
      );
      return countCareful(told, unexpected, rows);
    },
    async stop() {
      stopped = true;
      await Promise.all(working);
    },
  };
}

/** @param told of each claim that was acknowledged its id, by its subject @param there the claims of these subjects */
export function countCareful(
  told: Map<string, string>,
  troubles: string[],
  there: { id: string; subject: string }[],
): Counts {
  const bySubject = Map.groupBy(there, ({ subject }) => subject);
  return {
    acknowledged: told.size,
    lost: [...told].filter(([subject, id]) => !bySubject.get(subject)?.some((row) => row.id === id)).length,
    doubled: [...bySubject.values()].filter(({ length }) => length > 1).length,
    unexpected: troubles.length,
    ...(troubles.length > 0 ? { note: troubles.slice(0, 3).join("; ") } : {}),
  };
}
