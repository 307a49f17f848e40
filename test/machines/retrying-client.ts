/**
 * Clients that write a memory, read it at once and repeat. They use the project's client, which retries without a
 * response. The oracle compares acknowledged memories with the stored ones.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { BotsteadError, createClient } from "../../src/client/index.ts";
import { type Answer, notedFetch, oddAnswers } from "../fault/noted-fetch.ts";
import type { Counts } from "../support/reliability.ts";
import { testEnds } from "../support/test-ends.ts";
import { eventually } from "../support/worker.ts";
import type { Fleet } from "./fleet.ts";

export type RetryingClients = {
  /** Waits until this many more memories were written and read than when it is called. */
  untilMore(count: number): Promise<void>;
  /** Compares the responses since the last count with the database. */
  count(sql: Fleet["sql"]): Promise<Counts>;
  /** Resolves when each caller has its last response. Without a call of `stop` the load ends with its test. */
  stop(): Promise<void>;
};

/** Keeps three keys, with two calls a round each, below the limits of a key and of an organisation a minute. */
const pauseMs = 500;

export function startRetryingClients(baseUrl: string, keys: string[]): RetryingClients {
  /** Ids of acknowledged memories, by subject. */
  let written = new Map<string, string>();
  let problems: string[] = [];
  const answers: Answer[] = [];
  let total = 0;
  const signal = testEnds();
  let stopped = false;
  const mark = randomUUID();
  const retries = { maxRetries: Number.POSITIVE_INFINITY, backoffMs: 100, maxDelayMs: 800, timeoutMs: 10_000 };
  const working = keys.map(async (key, caller) => {
    const client = createClient({ baseUrl, key, ...retries, fetch: notedFetch(answers) });
    for (let round = 0; !stopped && !signal.aborted; round += 1) {
      const subject = `Memory ${mark} ${caller}.${round}`;
      try {
        const body = { scope: "organisation", kind: "note", subject, value: "Deep." } as const;
        const { id } = await client.post("/memories", { body, signal });
        written.set(subject, id);
        const read = await client.get("/memories/{id}", { path: { id }, signal });
        if (read.subject !== subject) problems.push(`${subject} reads as ${read.subject}`);
        total += 1;
      } catch (error) {
        problems.push(`${subject}: ${error instanceof BotsteadError ? `${error.status} ${error.code}` : error}`);
      }
      await sleep(pauseMs); // between two calls of a client
    }
  });
  return {
    async untilMore(count) {
      const wanted = total + count;
      await eventually(async () => total >= wanted);
    },
    async count(sql) {
      const odd = oddAnswers(answers.splice(0)).map(({ status, code }) => `answered ${status} ${code}`);
      const [acknowledged, unexpected] = [written, [...problems, ...odd]];
      [written, problems] = [new Map(), []];
      const rows = await sql<{ id: string; subject: string }>(
        "select id, subject from app.memories where subject = any ($1)",
        [[...acknowledged.keys()]],
      );
      return countWritten(acknowledged, unexpected, rows);
    },
    async stop() {
      stopped = true;
      await Promise.all(working);
    },
  };
}

/** @param acknowledged ids of acknowledged memories, by subject @param there stored memories with these subjects */
export function countWritten(
  acknowledged: Map<string, string>,
  problems: string[],
  there: { id: string; subject: string }[],
): Counts {
  const bySubject = Map.groupBy(there, ({ subject }) => subject);
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter(([subject, id]) => !bySubject.get(subject)?.some((row) => row.id === id)).length,
    doubled: [...bySubject.values()].filter(({ length }) => length > 1).length,
    unexpected: problems.length,
    ...(problems.length > 0 ? { note: problems.slice(0, 3).join("; ") } : {}),
  };
}
