/**
 * An executor whose steps a test controls one by one. It calls runner.* as the role that executors log in as.
 */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Assignment, MemoryMatch } from "../../src/runner/engine.ts";
import { makeExecutor, type TestDatabase } from "./database.ts";
import { type Customer, customer, type PostOffice } from "./post-office.ts";

export type KeyedStep = { state: string; repeated: boolean; kept: boolean; result: unknown };

export type HandExecutor = {
  id: string;
  /** The leased run, or null. */
  lease(): Promise<Assignment | null>;
  step(of: Assignment, spendMicroCents?: number): Promise<string>;
  keyedStep(of: Assignment, key: string, result?: unknown, memories?: string[]): Promise<KeyedStep>;
  /** Whether the piece of a preview was sent. */
  delta(of: Assignment, after: number, text: string, memories?: string[]): Promise<boolean>;
  searchMemories(of: Assignment, question: string, limit?: number): Promise<MemoryMatch[]>;
  finish(of: Assignment, text?: string): Promise<string>;
  fail(of: Assignment, code?: string): Promise<string>;
  block(of: Assignment, reason?: string): Promise<string>;
  renew(of: Assignment): Promise<void>;
  /** Id of the stored memory, or of the approval that must be answered first. */
  propose(of: Assignment, memory: object): Promise<{ memoryId?: string; approvalId?: string }>;
  /** Id of the started run, or of the approval that must be answered first. */
  start(of: Assignment, botId: string, message?: string): Promise<{ runId?: string; approvalId?: string }>;
  /** Returns the id of the approval that the run waits for. */
  ask(of: Assignment, question?: string, reason?: string, expiresIn?: string): Promise<string>;
};

/** Ends a select list whose transaction stays open: removes the limit of runner.limit_open_transaction. */
export const endless = "set_config('idle_in_transaction_session_timeout', '0', true)";

export const handExecutor = async (db: TestDatabase, pool: Pool, models: string[]): Promise<HandExecutor> =>
  executorOn(pool, await makeExecutor(db, models));

/** @param id of its heartbeat */
export function executorOn(pool: Pick<Pool, "query">, id: string): HandExecutor {
  const leaseOf = ({ organisationId, runId, leaseId }: Assignment) => [organisationId, runId, leaseId];
  const ask = async (call: string, values: unknown[]) =>
    (await pool.query(`select runner.${call} as answer`, values)).rows[0].answer;
  return {
    id,
    lease: () => ask("lease_run($1)", [id]),
    step: (of, spend = 0) => ask("step($1, $2, $3, 'think', 0, 0, $4)", [...leaseOf(of), spend]),
    keyedStep: (of, key, result, memories = []) =>
      ask("keyed_step($1, $2, $3, $4, 'think', spend_micro_cents => 5, result => $5, memories => $6)", [
        ...[...leaseOf(of), key],
        ...[result === undefined ? null : JSON.stringify(result), memories],
      ]),
    delta: (of, after, text, memories = []) =>
      ask("delta($1, $2, $3, $4, $5, $6)", [...leaseOf(of), after, text, memories]),
    searchMemories: (of, question, limit = 5) =>
      ask("search_memories($1, $2, $3, $4, $5)", [...leaseOf(of), question, limit]),
    finish: (of, text = "Done.") => ask("finish($1, $2, $3, $4, '{}')", [...leaseOf(of), text]),
    fail: (of, code = "executor_failed") => ask("fail($1, $2, $3, $4)", [...leaseOf(of), code]),
    block: (of, reason = "Which of the two?") => ask("block($1, $2, $3, $4)", [...leaseOf(of), reason]),
    renew: (of) => ask("renew($1, $2, $3)", leaseOf(of)),
    propose: (of, memory) => ask("propose_memory($1, $2, $3, $4)", [...leaseOf(of), memory]),
    start: (of, botId, message = "Look into it.") =>
      ask("start_run($1, $2, $3, $4, $5)", [...leaseOf(of), botId, message]),
    ask: (of, question = "May I?", reason = "It is not mine to decide.", expiresIn = "3 days") =>
      ask("ask_approval($1, $2, $3, $4, $5, $6)", [...leaseOf(of), question, reason, expiresIn]),
  };
}

export type Workplace = { who: Customer; executor: HandExecutor; model: string };

/** A customer whose bot has a model that only this executor serves, so that it leases no other test's runs. */
export async function workplace(
  office: Pick<PostOffice, "db" | "api">,
  pool: Pool,
  model: string = `hand-${randomUUID()}`,
): Promise<Workplace> {
  const who = await customer(office, model);
  return { who, executor: await handExecutor(office.db, pool, [model]), model };
}

/** Leases a run. @throws Error if none is waiting */
export async function leased(executor: HandExecutor): Promise<Assignment> {
  const assignment = await executor.lease();
  if (!assignment) throw new Error("There is no run to lease.");
  return assignment;
}

/** As if the executor of this run had been silent for the time of its lease. */
export const expireLease = (db: Pick<TestDatabase, "sql">, run: string): Promise<unknown> =>
  db.sql("update app.runs set lease_until = now() - interval '1 second' where id = $1", [run]);

export type WorkInProgress = Workplace & { run: Assignment };

/** A workplace whose executor has leased a run. */
export async function workInProgress(
  office: Pick<PostOffice, "db" | "api">,
  pool: Pool,
  { untrusted = false, message = "The harbour closes at nine." } = {},
): Promise<WorkInProgress> {
  const at = await workplace(office, pool);
  await at.who.ask("POST", "/runs", { botId: at.who.bot, message, untrusted });
  return { ...at, run: await leased(at.executor) };
}

/** Runs that failed, oldest first. Returns their ids. */
export async function failedRuns({ who, executor }: Workplace, count: number, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let run = 0; run < count; run += 1) {
    const body = { botId: who.bot, message: `Question ${run}`, ...more };
    ids.push((await who.ask("POST", "/runs", body)).body.id);
    await executor.fail(await leased(executor));
  }
  return ids;
}
