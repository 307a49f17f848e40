/**
 * The one statement that all of the API is. (sql/api/handle.sql.)
 */
import { isOfPage, type Operation } from "../contract/operation.ts";
import type { Detail, Problem } from "../contract/refusals.ts";
import type { Terms, Values } from "../database/lane.ts";
import type { LaneName, Lanes } from "../database/lanes.ts";

export type Call = {
  credential: Buffer;
  /**
   * Whose it is, where that is known. Connections are shared among organisations; of what is nobody's yet, as the link of a mail
   * and a key that this process has not met, all of a kind count as one.
   */
  organisationId?: string | null | undefined;
  /** Not sent after that (performance.now): its caller has been told 503. */
  until?: number | undefined;
  operation: Operation;
  requestId: string;
  input?: Record<string, unknown> | undefined;
  problem?: Problem | undefined;
  idempotency?: Buffer | undefined;
  fingerprint?: Buffer | undefined;
  /** What the answer shows once, as only its caller can open it. */
  sealed?: Buffer | undefined;
  /** Given where the call is counted in the database, before it is performed. */
  count?: Count | undefined;
};

export type Count = {
  /** In requests. */
  cost: number;
  /** Requests a minute: of what was shown, then of its organisation. */
  limits: number[];
};

/** What is used of each allowance now, with this call; and seconds until the minute turns. */
export type Counted = { keyId: string; organisationId: string | null; used: number[]; secondsLeft: number };

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
  /** Of a call that was counted; null where the credential was nobody's. */
  counted?: Counted | null;
  body: string;
};

const statement = {
  name: "handle",
  text: "select api.handle($1, $2, $3, $4, $5, $6, $7, $8)",
};
const countedStatement = {
  name: "handle_counted",
  text: "call api.handle_counted($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, null)",
};

/** @throws Error of the database or of its connection. */
export async function callHandle(lanes: Lanes, lane: LaneName, call: Call): Promise<Handled> {
  const values = [
    call.credential,
    call.operation.name,
    call.input ? JSON.stringify(call.input) : null,
    call.problem ? JSON.stringify(call.problem) : null,
    call.requestId,
    call.idempotency ?? null,
    call.fingerprint ?? null,
    call.sealed ?? null,
  ];
  const owner = call.organisationId ?? call.operation.keyClass;
  const { count, until } = call;
  if (count) return askCounted(lanes, lane, [...values, String(count.cost), `{${count.limits}}`], { owner, until });
  const read = lanes.replica && isRead(call.operation) ? await lanes.replica.ask(statement, values, owner) : undefined;
  return read === undefined ? ask(lanes, lane, values, { owner, until }) : parse(read);
}

/**
 * What a replica can answer. A page's GET is none: rarely asked, and not counted on. Nor is a feed: its place is in the order
 * of the primary's transactions, of which a replica knows those alone that it was sent, and would take a place beyond them for
 * one of another history. (sql/api/events.sql)
 */
function isRead(operation: Operation): boolean {
  return operation.method === "get" && !operation.feed && !isOfPage(operation);
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
async function ask(lanes: Lanes, lane: LaneName, values: Values, terms?: Terms): Promise<Handled> {
  const answer = await lanes.ask(lane, statement, values, terms);
  if (answer === null) throw new StandbyError();
  return parse(answer);
}

/** Always of the server that takes writes: a replica can't count. */
async function askCounted(lanes: Lanes, lane: LaneName, values: Values, terms: Terms): Promise<Handled> {
  const answer = await lanes.ask(lane, countedStatement, values, terms);
  if (answer === null) throw new StandbyError();
  const end = answer.indexOf("\n");
  return { ...parse(answer.slice(end + 1)), counted: JSON.parse(answer.slice(0, end)) as Counted | null };
}

/** The server that takes writes takes none: somebody promotes it just now, or its address has moved too early. */
class StandbyError extends Error {
  readonly code = "25006"; // as PostgreSQL calls it where something is written
}

function parse(answer: string): Handled {
  const end = answer.indexOf("\n");
  const handled = JSON.parse(end < 0 ? answer : answer.slice(0, end)) as Handled;
  handled.body = end < 0 ? "" : answer.slice(end + 1);
  return handled;
}
