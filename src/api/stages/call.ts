/** Performs an operation: one SQL statement, api.handle. (sql/api/handle.sql) */
import { createHash, hash } from "node:crypto";
import type { Operation } from "../../contract/operation.ts";
import type { Detail, Problem } from "../../contract/refusals.ts";
import type { ApiPools, PoolName } from "../../database/connections/api-pools.ts";
import { sealMembers } from "../../secrets/one-time.ts";
import type { Tracer } from "../../tracing/spans.ts";
import type { Request } from "../request.ts";
import type { Identities } from "./authenticate.ts";

/** Adds the id of the person whom the call may create, by name of operation. */
export type IdentifyPerson = Partial<Record<string, (input: Input, request: Request, until: number) => Promise<Input>>>;

type Input = Record<string, unknown>;

type Parts = {
  pools: ApiPools;
  identities: Identities;
  /** Undefined if tracing is off. */
  tracer: Tracer | undefined;
  /** Undefined without a directory. */
  identifyPerson: IdentifyPerson | undefined;
};

/** @param until the deadline (performance.now), after which the statement is not sent: its caller got a 503 */
export type CallOperation = (request: Request, until: number) => Promise<Result>;

export function makeCall({ pools, identities, tracer, identifyPerson }: Parts): CallOperation {
  return async (request, until) => {
    const { operation, credential, address, requestId, bearer = "", idempotencyKey = "", span, problem } = request;
    const isStored = operation.needsIdempotencyKey && isStorable(problem);
    const identity = identities.get(credential, address);
    const identify = identifyPerson?.[operation.name];
    const input = identify && request.input ? await identify(request.input, request, until) : request.input;
    const call = {
      ...{ credential, organisationId: identity?.organisationId, address, operation, requestId, problem, until },
      notesUse: identities.isUseDue(identity),
      input: span && input ? { ...input, traceparent: span.traceparent } : input,
      idempotency: isStored ? digestOfIdempotencyKey(credential, idempotencyKey) : undefined,
      fingerprint: isStored ? fingerprint(request) : undefined,
      sealed: request.members.length > 0 ? sealMembers(request.members, { bearer, idempotencyKey }) : undefined,
    };
    const result = await traced(request, () => callHandle(pools, poolOf(call), call));
    if (call.notesUse) identities.useNoted(credential, address);
    return result;
  };

  /** The statement has its own span. The difference to the request's span is time spent in this process. */
  async function traced({ operation, span }: Request, call: () => Promise<Result>): Promise<Result> {
    if (!span || !tracer) return call();
    const statement = tracer.begin(`api.handle ${operation.name}`, "client", span.traceparent, {
      "db.system.name": "postgresql",
      "db.operation.name": operation.name,
    });
    try {
      const result = await call();
      statement.end({});
      return result;
    } catch (error) {
      statement.end({}, (error as { code?: string }).code ?? (error as Error).name);
      throw error;
    }
  }
}

/** Problems that precede the Idempotency-Key in the order of checks are not stored. */
function isStorable(problem: Problem | undefined): boolean {
  if (!problem) return true;
  if (problem.details?.some((detail) => detail.path === "headers.idempotency-key")) return false;
  return problem.code === "invalid_request" || problem.code === "not_found";
}

/** SHA-256 over method, path, query and body. Two requests under one Idempotency-Key must have the same fingerprint. */
function fingerprint({ operation, path, query, body }: Request): Buffer {
  const digest = createHash("sha256").update(`${operation.method}\n${path}\n${query}\n`);
  return digest.update(body.canonical()).digest();
}

function digestOfIdempotencyKey(credential: Buffer, idempotencyKey: string): Buffer {
  return hash("sha256", Buffer.concat([credential, Buffer.from(idempotencyKey)]), "buffer");
}

/** Only calls of known organisations share transactions as writes: their order is by organisation. */
function poolOf({ operation, organisationId }: Call): PoolName {
  if (operation.pointRead) return "point";
  if (operation.list && !operation.feed) return "lists";
  return operation.shortWrite && organisationId ? "writes" : "pooled";
}

type Call = Pick<Request, "credential" | "address" | "operation" | "requestId"> &
  Partial<Pick<Request, "input" | "problem">> & {
    /**
     * The organisation of the credential, if it is known. Pools share connections fairly among organisations. Credentials without
     * a known organisation, such as links in mails and new keys, count as one organisation per key class.
     */
    organisationId?: string | null | undefined;
    /** Whether the call notes the use of its key, which a process does once a minute. */
    notesUse?: boolean;
    until?: number;
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
  const { operation, until, idempotency } = call;
  const values = [
    call.credential,
    operation.name,
    call.input ? JSON.stringify(call.input) : null,
    call.problem ? JSON.stringify(call.problem) : null,
    call.requestId,
    idempotency ?? null,
    call.fingerprint ?? null,
    call.sealed ?? null,
    call.notesUse ? "true" : "false",
    call.address ?? null,
  ];
  const owner = call.organisationId ?? operation.keyClass;
  const group = groups[pool]?.(operation);
  const answer =
    (mayUseReplica(operation) ? await pools.replica?.query(statement, values, owner) : undefined) ??
    (await pools[pool].query(statement, values, { owner, until, group, once: idempotency }));
  if (answer === null) throw new StandbyError();
  return parse(answer);
}

/**
 * Whether a replica may answer. Pages are rarely requested. A feed's position is in the order of the primary's transactions: a
 * replica that lags would take a newer position for one of another history. (sql/api/events.sql)
 */
function mayUseReplica({ method, feed, keyClass }: Operation): boolean {
  return method === "get" && !feed && keyClass !== "invitation" && keyClass !== "approval";
}

/** The server behind the primary's address is a standby: it is being promoted, or the address has moved too early. */
class StandbyError extends Error {
  readonly code = "25006"; // read_only_sql_transaction
}

/** The answer is one text: a column for each part would be a tenth of the cost of a small answer. */
function parse(answer: string): Result {
  const end = answer.indexOf("\n");
  const result = JSON.parse(end < 0 ? answer : answer.slice(0, end)) as Result;
  result.body = end < 0 ? "" : answer.slice(end + 1);
  return result;
}
