/** Gives an engine the functions of schema runner, called under the lease of its run. */
import type { Pool } from "pg";
import { isOutage } from "../database/outage.ts";
import {
  type Assignment,
  type EngineContext,
  type MemoryMatch,
  type Proposed,
  type Refused,
  RunEnded,
  type Step,
} from "./engine.ts";
import { previewBy } from "./preview.ts";
import { stepsOnce } from "./steps-once.ts";

export function engineContextFor(
  pool: Pool,
  run: Assignment,
  signal: AbortSignal,
): { context: EngineContext; endPreview: () => void } {
  const lease = [run.organisationId, run.runId, run.leaseId];
  const call = async <Value>(text: string, values: unknown[]): Promise<Value | undefined> => {
    const query = pool.query<{ result: Value }>(`select runner.${text} as result`, [...lease, ...values]);
    return (await underLease(query)).rows[0]?.result;
  };
  async function step({ kind, inputTokens = 0, outputTokens = 0, spendMicroCents = 0, model }: Step) {
    const values = [kind, inputTokens, outputTokens, spendMicroCents, model];
    const state = await call<string>("step($1, $2, $3, $4, $5, $6, $7, $8)", values);
    if (state !== "running") throw new RunEnded();
  }
  const preview = previewBy((after, text, memoryIds) =>
    call("delta($1, $2, $3, $4, $5, $6)", [after, text, memoryIds]),
  );
  const context: EngineContext = {
    signal,
    searchMemories: async (question, limit) =>
      (await call<MemoryMatch[]>("search_memories($1, $2, $3, $4, $5)", [question, limit])) ?? [],
    step,
    once: stepsOnce(run, call, step),
    proposeMemory: (memory) =>
      orRefused(async () => (await call("propose_memory($1, $2, $3, $4)", [memory])) as Proposed),
    askApproval: (question, reason) =>
      orRefused(async () => {
        await call("ask_approval($1, $2, $3, $4, $5)", [question, reason]);
        throw new RunEnded();
      }),
    preview: preview.show,
  };
  return { context, endPreview: preview.end };
}

/** SQLSTATE OA001 is a refusal, with its code as the message. */
async function orRefused<Value>(operation: () => Promise<Value>): Promise<Value | Refused> {
  return operation().catch((error: Error & { code?: string }) => {
    if (error.code === "OA001") return { refused: error.message };
    throw error;
  });
}

/** An outage or a stopping executor. The run does not fail: another executor leases it after the lease expires. */
export class Interrupted extends Error {}

/** @throws RunEnded if the lease is lost (SQLSTATE OA002 of runner.leased_run); Interrupted during an outage */
export async function underLease<T>(query: Promise<T>): Promise<T> {
  return query.catch((error: Error & { code?: string }) => {
    if (error.code === "OA002") throw new RunEnded();
    // A type of its own, because an engine's own services may also fail with connection errors.
    throw isOutage(error) ? new Interrupted(error.message, { cause: error }) : error;
  });
}
