/** Every statement that writes to a bot, so that a test can stop it before its commit. */

import { randomUUID } from "node:crypto";
import { operations } from "../../src/contract/operations.ts";
import type { LoginRole } from "../../src/database/roles.ts";
import type { Assignment } from "../../src/runner/engine.ts";
import { digestOf } from "../../src/secrets/credentials.ts";
import { linkOf } from "./approvals.ts";
import type { Member } from "./callers.ts";
import type { TestDatabase } from "./database.ts";
import { endless, type HandExecutor, leased } from "./hand-executor.ts";

/** The bot that is written to, another bot, and an executor of both. */
export type At = { db: TestDatabase; ada: Member; bot: string; other: string; executor: HandExecutor };

export type Writing = { role: LoginRole; text: string; values: unknown[] };

const keyed = new Set(operations.filter((operation) => operation.needsIdempotencyKey).map(({ name }) => name));
const once = "sha256(uuidv7()::text::bytea), sha256('')";

/** An operation of the API with a credential. */
export const call = (credential: Buffer, operation: string, input: object): Writing => ({
  role: "server",
  text: `select api.handle($1, $2, $3, null, uuidv7(), ${keyed.has(operation) ? once : "null, null"}, null) as answer`,
  values: [credential, operation, JSON.stringify(input)],
});

/** A run in progress. */
export async function work({ ada, executor }: At, botId: string, untrusted = false): Promise<Assignment> {
  await ada.post("/runs", { botId, message: "Hello", untrusted });
  return leased(executor);
}

const underLease = (name: string, { organisationId, runId, leaseId }: Assignment, more: unknown[]): Writing => ({
  role: "runner",
  text: `select runner.${name}($1, $2, $3, ${more.map((_, place) => `$${place + 4}`)})::text as answer, ${endless}`,
  values: [organisationId, runId, leaseId, ...more],
});

async function approval({ db, executor }: At, run: Assignment, approvalId: string | undefined): Promise<Writing> {
  await executor.finish(run);
  return call(digestOf(await linkOf(db, approvalId ?? "")), "answer_approval", { answer: "approved" });
}

const hex = () => digestOf(randomUUID()).toString("hex");
const routine = { name: "Daily", schedule: "0 9 * * *", timeZone: "UTC", message: "Hello" };
const memory = {
  scope: "bot",
  kind: "fact",
  subject: "We",
  subjectKind: "organisation",
  value: "We are.",
  confidence: 1,
};

/** The writers, and their refusals if the bot was deleted. */
export const botWriters: Record<string, [write: (at: At) => Writing | Promise<Writing>, late: string]> = {
  "a run": [
    ({ ada, bot }) => call(ada.key.digest, "start_run", { botId: bot, message: "Hello", untrusted: false }),
    "not_found",
  ],
  "a routine": [({ ada, bot }) => call(ada.key.digest, "create_routine", { botId: bot, ...routine }), "not_found"],
  "a hook": [
    ({ ada, bot }) =>
      call(ada.key.digest, "create_hook", { botId: bot, name: "Alerts", secretSealed: "00", secretDigest: hex() }),
    "not_found",
  ],
  "a memory": [
    ({ ada, bot }) =>
      call(ada.key.digest, "create_memory", { ...memory, botId: bot, lawfulBasis: "legitimate_interests" }),
    "not_found",
  ],
  "memories of one batch": [
    ({ ada, bot }) => {
      const input = { ...memory, botId: bot, lawfulBasis: "legitimate_interests" };
      return call(ada.key.digest, "batch", {
        atomic: false,
        operations: Array(2).fill({ operation: "create_memory", input }),
      });
    },
    "not_found",
  ],
  "the firing of a routine": [
    async ({ db, ada, bot }) => {
      const { id } = (await ada.post("/routines", { botId: bot, ...routine })).body;
      const [due] = await db.sql<{ at: string }>(
        "update app.routines set next_firing_at = now() - interval '1 minute' where id = $1 returning next_firing_at::text as at",
        [id],
      );
      return {
        role: "worker",
        text: "select jobs.fire_routine($1, $2, $3, $4, $5, now() + interval '1 day') as answer",
        values: [ada.organisation.id, id, routine.schedule, routine.timeZone, due?.at],
      };
    },
    "elsewhere",
  ],
  "a post to a hook": [
    async ({ ada, bot }) => {
      const { secret } = (await ada.post("/hooks", { botId: bot, name: "Alerts" })).body;
      const digests = { deliveryDigest: hex(), signedDigest: hex(), bodyDigest: hex() };
      return call(digestOf(secret), "receive_hook", { message: "Hello", ...digests });
    },
    "unauthenticated",
  ],
  "another bot's run that starts one": [
    async (at) => underLease("start_run", await work(at, at.other), [at.bot, "Hello"]),
    "not_found",
  ],
  "a run of it that starts another": [
    async (at) => underLease("start_run", await work(at, at.bot), [at.bot, "Hello"]),
    "lease_lost",
  ],
  "a run of it that remembers": [
    async (at) => underLease("propose_memory", await work(at, at.bot), [memory]),
    "lease_lost",
  ],
  "a run that is approved": [
    async (at) => {
      const run = await work(at, at.other, true);
      return approval(at, run, (await at.executor.start(run, at.bot)).approvalId);
    },
    "not_found",
  ],
  "a memory that is approved": [
    async (at) => {
      const run = await work(at, at.bot, true);
      return approval(at, run, (await at.executor.propose(run, memory)).approvalId);
    },
    "forbidden",
  ],
};
