/**
 * An executor that a test moves by hand: it calls runner.* as the role that executors log in as, and does one thing at
 * a time.
 */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Assignment, Claim } from "../../src/runner/engine.ts";
import { makeExecutor, type TestDatabase } from "./database.ts";
import { type Customer, customer, type PostOffice } from "./post-office.ts";

export type HandExecutor = {
  id: string;
  /** The run to work on, or null. */
  claim(): Promise<Assignment | null>;
  step(of: Assignment, spendMicroCents?: number): Promise<string>;
  recall(of: Assignment, question: string, atMost?: number): Promise<Claim[]>;
  finish(of: Assignment, text?: string): Promise<string>;
  fail(of: Assignment, code?: string): Promise<string>;
  block(of: Assignment, reason?: string): Promise<string>;
  renew(of: Assignment): Promise<void>;
  /** The claim that has landed, or the card that a person has to approve first. */
  propose(of: Assignment, memory: object): Promise<{ memoryId?: string; approvalId?: string }>;
  /** The run that was started, or the card that a person has to approve first. */
  start(of: Assignment, botId: string, message?: string): Promise<{ runId?: string; approvalId?: string }>;
  /** Answers the id of the card that the run waits for. */
  ask(of: Assignment, question?: string, reason?: string, expiresIn?: string): Promise<string>;
};

export async function handExecutor(db: TestDatabase, pool: Pool, models: string[]): Promise<HandExecutor> {
  const id = await makeExecutor(db, models);
  const lease = ({ organisationId, runId, leaseId }: Assignment) => [organisationId, runId, leaseId];
  const ask = async (call: string, values: unknown[]) =>
    (await pool.query(`select runner.${call} as answer`, values)).rows[0].answer;
  return {
    id,
    claim: () => ask("claim($1)", [id]),
    step: (of, spend = 0) => ask("step($1, $2, $3, 'think', 0, 0, $4)", [...lease(of), spend]),
    recall: (of, question, atMost = 5) => ask("recall($1, $2, $3, $4, $5)", [...lease(of), question, atMost]),
    finish: (of, text = "Done.") => ask("finish($1, $2, $3, $4, '{}')", [...lease(of), text]),
    fail: (of, code = "executor_failed") => ask("fail($1, $2, $3, $4)", [...lease(of), code]),
    block: (of, reason = "Which of the two?") => ask("block($1, $2, $3, $4)", [...lease(of), reason]),
    renew: (of) => ask("renew($1, $2, $3)", lease(of)),
    propose: (of, memory) => ask("propose_memory($1, $2, $3, $4)", [...lease(of), memory]),
    start: (of, botId, message = "Look into it.") =>
      ask("start_run($1, $2, $3, $4, $5)", [...lease(of), botId, message]),
    ask: (of, question = "May I?", reason = "It is not mine to decide.", expiresIn = "3 days") =>
      ask("ask_approval($1, $2, $3, $4, $5, $6)", [...lease(of), question, reason, expiresIn]),
  };
}

export type Workplace = { who: Customer; executor: HandExecutor; model: string };

/** A customer whose bot has a model that this executor alone serves, so that it meets no other test's runs. */
export async function workplace(office: Pick<PostOffice, "db" | "api">, pool: Pool): Promise<Workplace> {
  const model = `hand-${randomUUID()}`;
  const who = await customer(office, model);
  return { who, executor: await handExecutor(office.db, pool, [model]), model };
}

/** The assignment that must be there. */
export async function claimed(executor: HandExecutor): Promise<Assignment> {
  const assignment = await executor.claim();
  if (!assignment) throw new Error("There was no run to take.");
  return assignment;
}
