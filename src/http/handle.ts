/**
 * The one statement that all of the API is. (sql/api/handle.sql.)
 */
import type { Operation } from "../contract/operation.ts";
import type { Detail, Problem } from "../contract/refusals.ts";
import type { LaneName, Lanes } from "../database/lanes.ts";

export type Call = {
  credential: Buffer;
  operation: Operation;
  requestId: string;
  input?: Record<string, unknown> | undefined;
  problem?: Problem | undefined;
  idempotency?: Buffer | undefined;
  fingerprint?: Buffer | undefined;
  /** What the answer shows once, as only its caller can open it. */
  sealed?: Buffer | undefined;
};

/** How it went, and the body when it went well. Either status and body are given, or refusal is. */
export type Handled = {
  status?: number;
  refusal?: string | null;
  details?: Detail[] | null;
  replayed?: boolean;
  /** Of the request that is answered again. */
  requestId?: string | null;
  /** What `sealed` of that request's call was, in hex. */
  sealed?: string | null;
  /** Whose credential it was: of a refusal, by which a process learns of a key. */
  keyId?: string;
  organisationId?: string | null;
  body: string;
};

const statement = {
  name: "handle",
  text: "select api.handle($1, $2, $3, $4, $5, $6, $7, $8)",
};

/** @throws Error of the database or of its connection. */
export function callHandle(lanes: Lanes, lane: LaneName, call: Call): Promise<Handled> {
  return ask(lanes, lane, [
    call.credential,
    call.operation.name,
    call.input ? JSON.stringify(call.input) : null,
    call.problem ? JSON.stringify(call.problem) : null,
    call.requestId,
    call.idempotency ?? null,
    call.fingerprint ?? null,
    call.sealed ?? null,
  ]);
}

/** What a process asks for itself, without a credential: whether it could serve. (sql/jobs/readiness.sql) */
export async function callReadiness(lanes: Lanes): Promise<{ definitions: string; worker: boolean }> {
  const { body } = await ask(lanes, "point", Array(8).fill(null));
  return JSON.parse(body);
}

/** What a process has counted, without a credential as well. (sql/jobs/request_minutes.sql) */
export async function callCounting(lanes: Lanes, counts: object[]): Promise<void> {
  await ask(lanes, "pooled", [null, null, JSON.stringify(counts), ...Array(5).fill(null)]);
}

/** One text and not a column for each part: of a small answer, the columns would be a tenth of the cost. */
async function ask(lanes: Lanes, lane: LaneName, values: (string | Buffer | null)[]): Promise<Handled> {
  const answer = await lanes.ask(lane, statement, values);
  const end = answer.indexOf("\n");
  const handled = JSON.parse(end < 0 ? answer : answer.slice(0, end)) as Handled;
  handled.body = end < 0 ? "" : answer.slice(end + 1);
  return handled;
}
