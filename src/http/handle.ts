/**
 * The one SQL statement of the API. (sql/api/handle.sql)
 */
import { isOfPage, type Operation } from "../contract/operation.ts";
import type { Detail, Problem } from "../contract/refusals.ts";
import type { ApiPools, PoolName } from "../database/connections/api-pools.ts";
import type { StatementOptions } from "../database/connections/pool.ts";
import type { Values } from "../database/connections/text-query.ts";

export type Call = {
  credential: Buffer;
  /**
   * The organisation of the credential, if it is known. Pools share connections fairly among organisations. Credentials without
   * a known organisation, such as links in mails and new keys, count as one organisation per key class.
   */
  organisationId?: string | null | undefined;
  /** The caller's address. Some keys are accepted from some addresses only. */
  address: string | undefined;
  /** Whether the call notes the use of its key, which a process does once a minute. */
  notesUse?: boolean;
  /** The deadline (performance.now), after which the statement is not sent: its caller got a 503. */
  until?: number | undefined;
  operation: Operation;
  requestId: string;
  input?: Record<string, unknown> | undefined;
  problem?: Problem | undefined;
  idempotency?: Buffer | undefined;
  fingerprint?: Buffer | undefined;
  /** The secrets that the answer shows once, encrypted for the caller. */
  sealed?: Buffer | undefined;
};

/** The outcome of a call: either status and body, or a refusal. */
export type Result = {
  status?: number;
  refusal?: string | null;
  details?: Detail[] | null;
  /** The reason of a refusal: a word of contract/reasons.ts. */
  reason?: string | null;
  replayed?: boolean;
  /** In a replay, the id of the original request. */
  requestId?: string | null;
  /** In a replay, `sealed` of the original call, in hex. */
  sealed?: string | null;
  /** In a refusal, the key. So a process learns the identity of a key. */
  keyId?: string;
  organisationId?: string | null;
  /** In `rate_limited`, the key's own rate limit. */
  ratePerMinute?: number | null;
  body: string;
};

const statement = { name: "handle", text: "select api.handle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)" };

/** The calls that may share a transaction. Writes of one operation lock rows in the same order. */
const groups: Partial<Record<PoolName, (operation: Operation) => string>> = {
  point: () => "reads",
  lists: () => "reads",
  writes: ({ name }) => name,
};

/** @throws Error of the database or of its connection. */
export async function callHandle(pools: ApiPools, pool: PoolName, call: Call): Promise<Result> {
  const values = [
    call.credential,
    call.operation.name,
    call.input ? JSON.stringify(call.input) : null,
    call.problem ? JSON.stringify(call.problem) : null,
    call.requestId,
    call.idempotency ?? null,
    call.fingerprint ?? null,
    call.sealed ?? null,
    call.notesUse ? "true" : "false",
    call.address ?? null,
  ];
  const owner = call.organisationId ?? call.operation.keyClass;
  const { until } = call;
  const group = groups[pool]?.(call.operation);
  const read =
    pools.replica && mayUseReplica(call.operation) ? await pools.replica.query(statement, values, owner) : undefined;
  return read === undefined ? query(pools, pool, values, { owner, until, group, once: call.idempotency }) : parse(read);
}

/**
 * Whether a replica may answer. Pages are rarely requested. A feed's position is in the order of the primary's transactions: a
 * replica that lags would take a newer position for one of another history. (sql/api/events.sql)
 */
function mayUseReplica(operation: Operation): boolean {
  return operation.method === "get" && !operation.feed && !isOfPage(operation);
}

/** The arguments of a call of the process itself, which has no credential. (sql/api_private/calls.sql) */
function ofProcess(operation: string | null = null, input: string | null = null): Values {
  return [null, operation, input, ...Array(7).fill(null)];
}

/** Reads whether the process can serve. Needs no credential. (sql/service/readiness.sql) */
export async function callReadiness(pools: ApiPools): Promise<{ definitions: string; worker: boolean }> {
  const { body } = await query(pools, "point", ofProcess());
  return JSON.parse(body);
}

/** Reads the public keys of deliveries, in base64, newest first. Needs no credential. (sql/service/signing_keys.sql) */
export async function callSigningKeys(pools: ApiPools): Promise<string[]> {
  const { body } = await query(pools, "point", ofProcess("signing_keys"));
  return JSON.parse(body);
}

/**
 * Asks a cell for the organisation of a credential, live or not. Needs no credential. (sql/service/moves.sql)
 *
 * @returns isElsewhere: the organisation is on its way from or to this cell
 */
export async function callOrganisationOf(
  pools: ApiPools,
  credential: Buffer,
  until: number,
): Promise<{ organisationId: string | null; isElsewhere: boolean }> {
  const input = JSON.stringify({ credential: credential.toString("hex") });
  const { body } = await query(pools, "point", ofProcess("organisation_of", input), { until });
  return JSON.parse(body);
}

/** Stores the requests that a process counted. Needs no credential. (sql/service/requests.sql) */
export async function callCounting(
  pools: ApiPools,
  what: "request_minutes" | "key_days" | "refused_credentials",
  counts: object[],
): Promise<void> {
  await query(pools, "pooled", ofProcess(what, JSON.stringify(counts)));
}

/** The answer is one text: a column for each part would be a tenth of the cost of a small answer. */
async function query(pools: ApiPools, pool: PoolName, values: Values, options?: StatementOptions): Promise<Result> {
  const answer = await pools.query(pool, statement, values, options);
  if (answer === null) throw new StandbyError();
  return parse(answer);
}

/** The server behind the primary's address is a standby: it is being promoted, or the address has moved too early. */
class StandbyError extends Error {
  readonly code = "25006"; // read_only_sql_transaction
}

function parse(answer: string): Result {
  const end = answer.indexOf("\n");
  const result = JSON.parse(end < 0 ? answer : answer.slice(0, end)) as Result;
  result.body = end < 0 ? "" : answer.slice(end + 1);
  return result;
}
