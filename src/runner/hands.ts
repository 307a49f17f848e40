/**
 * The hands of an engine: functions of schema runner under the lease of its run.
 */
import type { Pool } from "pg";
import { isOutage } from "../database/outage.ts";
import { type Claim, type Hands, type Proposed, type Refused, RunEnded } from "./engine.ts";

export function handsFor(pool: Pool, lease: string[], signal: AbortSignal): Hands {
  const ask = async <Answer>(call: string, values: unknown[]): Promise<Answer | undefined> => {
    const asked = pool.query<{ answer: Answer }>(`select runner.${call} as answer`, [...lease, ...values]);
    return (await underLease(asked)).rows[0]?.answer;
  };
  return {
    signal,
    recall: async (question, atMost) => (await ask<Claim[]>("recall($1, $2, $3, $4, $5)", [question, atMost])) ?? [],
    async step({ kind, inputTokens = 0, outputTokens = 0, spendMicroCents = 0, model = null }) {
      const values = [kind, inputTokens, outputTokens, spendMicroCents, model];
      const state = await ask<string>("step($1, $2, $3, $4, $5, $6, $7, $8)", values);
      if (state !== "running") throw new RunEnded();
    },
    remember: (claim) => orRefused(async () => (await ask("propose_memory($1, $2, $3, $4)", [claim])) as Proposed),
    ask: (question, reason) =>
      orRefused(async () => {
        await ask("ask_approval($1, $2, $3, $4, $5)", [question, reason]);
        throw new RunEnded();
      }),
  };
}

/** SQLSTATE OA001 is a refusal, and its message one of the fixed words. */
async function orRefused<Answer>(act: () => Promise<Answer>): Promise<Answer | Refused> {
  return act().catch((error: Error & { code?: string }) => {
    if (error.code === "OA001") return { refused: error.message };
    throw error;
  });
}

/** No fault of the run: it goes to whoever works when its lease has run out. */
export class Interrupted extends Error {}

/** SQLSTATE OA002 is runner.held's word for a lease that is no longer ours. */
export async function underLease<T>(query: Promise<T>): Promise<T> {
  return query.catch((error: Error & { code?: string }) => {
    if (error.code === "OA002") throw new RunEnded();
    // Told apart from what an engine may meet, as a service of its own that is away.
    throw isOutage(error) ? new Interrupted(error.message, { cause: error }) : error;
  });
}
