/**
 * Performs one operation with one SQL statement. A validation problem is passed to api.handle, which returns it in its place
 * in the order of checks: after the credential, and under the Idempotency-Key.
 * (docs/specification/conventions.md#order-of-checks)
 */
import { hash } from "node:crypto";
import { needsIdempotencyKey, type Operation } from "../contract/operation.ts";
import { isRefusalCode, type Problem } from "../contract/refusals.ts";
import { etagOf } from "../contract/revision.ts";
import type { ApiPools, PoolName } from "../database/connections/api-pools.ts";
import { fingerprint } from "../request/validation.ts";
import { type CredentialClass, classOf, digestOf } from "../secrets/credentials.ts";
import { openMembers, sealMembers, withMember } from "../secrets/one-time.ts";
import type { Tracer } from "../tracing/spans.ts";
import { type Answer, refusal, success } from "./answer/answer.ts";
import { deprecationHeaders } from "./answer/deprecation.ts";
import { wordBatch } from "./batch.ts";
import type { IdentifyPerson } from "./cells/people.ts";
import type { Authenticate, Perform, RequestContext, RequestHead } from "./context.ts";
import { type Call, callHandle, type Result } from "./handle.ts";
import { withinDeadline } from "./limits/deadline.ts";
import type { Identities } from "./limits/identities.ts";
import { type RateLimiting, rateLimitHeaders } from "./limits/rate-limiting.ts";
import type { Prepare, Prepared } from "./preparation.ts";

/** Hooks have signatures instead of credentials: hook-inbox.ts. */
const classes: Partial<Record<Operation["keyClass"], CredentialClass>> = {
  organisation: "bsk",
  platform: "bsp",
  portal_link: "bsl",
  authorization_code: "bsc",
  invitation: "bsi",
  approval: "bsa",
};

const byBearer: Authenticate = (head) => {
  const { bearer, digest, forged } = head;
  if (!bearer || classOf(bearer) !== acceptedClass(head)) return { problem: { code: "unauthenticated" } };
  return {
    credential: digest ?? digestOf(bearer),
    head: forged ? { ...head, problem: { code: "forbidden", reason: "csrf_token_missing" } } : head,
  };
};

/** The class of the credentials that the operation accepts. */
export const acceptedClass = ({ portalSession, operation }: Pick<RequestHead, "portalSession" | "operation">) =>
  portalSession ? sessionClass(operation) : classes[operation.keyClass];

/** A session of the portal is accepted as a cookie only. */
const sessionClass = ({ keyClass }: Operation) =>
  keyClass === "organisation" || keyClass === "portal_session" ? "bsx" : undefined;

type Parts = {
  pools: ApiPools;
  rateLimiting: RateLimiting;
  identities: Identities;
  prepare: Prepare;
  /** Includes /api/v1, without a trailing slash. */
  apiUrl: string;
  /** Undefined if tracing is off. */
  tracer: Tracer | undefined;
  /** Undefined without a directory. */
  identifyPerson: IdentifyPerson | undefined;
};

export function makePerform({
  pools,
  rateLimiting,
  identities,
  prepare,
  apiUrl,
  tracer,
  identifyPerson,
}: Parts): Perform {
  return async (given, authenticate = byBearer) => {
    const authenticated = await authenticate(given);
    if (authenticated.problem) return rateLimiting.refuseUnauthenticated(given, authenticated.problem);
    const { head, credential } = authenticated;
    const counted = await rateLimiting.apply(head, credential, (context) =>
      withinDeadline(context, (until) => handle({ ...context, until }, credential)),
    );
    if (!counted) return rateLimiting.refuseUnauthenticated(head);
    const { answer, own, secondsLeft, caller } = counted;
    Object.assign(answer.headers, rateLimitHeaders(own, secondsLeft), deprecationHeaders(head.operation.deprecated));
    answer.caller = caller;
    return answer;
  };

  async function handle(context: RequestContext, credential: Buffer): Promise<Answer> {
    const { operation, requestId, bearer = "", idempotencyKey = "", span } = context;
    const prepared = prepare(context);
    const isStored = needsIdempotencyKey(operation) && isStorable(prepared.problem);
    const identity = identities.get(credential, context.address);
    const identify = identifyPerson?.[operation.name];
    const given = identify && prepared.input ? await identify(prepared.input, context, credential) : prepared.input;
    const call = {
      credential,
      organisationId: identity?.organisationId,
      address: context.address,
      notesUse: identities.isUseDue(identity),
      until: context.until,
      operation,
      requestId,
      input: span && given ? { ...given, traceparent: span.traceparent } : given,
      problem: prepared.problem,
      idempotency: isStored ? digestOfIdempotencyKey(credential, idempotencyKey) : undefined,
      fingerprint: isStored ? fingerprint(context) : undefined,
      sealed: sealMembers(prepared.members, { bearer, idempotencyKey }),
    };
    const result = await traced(context, () => callHandle(pools, poolOf(call), call));
    if (call.notesUse) identities.useNoted(credential, context.address);
    const answer = answerOf(result, context, prepared);
    if (result.replayed) answer.headers["idempotent-replayed"] = "true";
    return answer;
  }

  /** The statement has its own span. The difference to the request's span is time spent in this process. */
  async function traced({ operation, span }: RequestContext, call: () => Promise<Result>): Promise<Result> {
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

  function answerOf(result: Result, context: RequestContext, { members, batch }: Prepared): Answer {
    const { operation, bearer = "", idempotencyKey = "" } = context;
    const requestId = result.requestId ?? context.requestId;
    if (!result.status) {
      if (!isRefusalCode(result.refusal)) throw new Error(`SQL refused with an unknown code: ${result.refusal}`);
      const noExecutor = result.refusal === "unavailable" ? "no_executor" : undefined;
      return refusal(result.refusal, requestId, result.details, result.reason ?? noExecutor);
    }
    const sealed = result.sealed ? Buffer.from(result.sealed, "hex") : undefined;
    const shown = sealed ? openMembers(sealed, { bearer, idempotencyKey }) : members;
    const body = batch ? wordBatch(result.body, batch, shown, requestId) : withMember(result.body, shown[0]);
    const answer = success(result.status, body, requestId);
    if (operation.revision) answer.headers.etag = etagOf(result.body, operation.revision);
    if (operation.location) answer.headers.location = apiUrl + operation.location + idOf(body);
    return answer;
  }
}

/** Only calls of known organisations share transactions as writes: their order is by organisation. */
function poolOf({ operation, organisationId }: Call): PoolName {
  if (operation.pointRead) return "point";
  if (operation.list && !operation.feed) return "lists";
  return operation.shortWrite && organisationId ? "writes" : "pooled";
}

/** Each row begins with its id. */
function idOf(row: string): string {
  return row.slice('{"id":"'.length, '{"id":"'.length + 36);
}

/** Problems that precede the Idempotency-Key in the order of checks are not stored. */
function isStorable(problem: Problem | undefined): boolean {
  if (!problem) return true;
  if (problem.details?.some((detail) => detail.path === "headers.idempotency-key")) return false;
  return problem.code === "invalid_request" || problem.code === "not_found";
}

function digestOfIdempotencyKey(credential: Buffer, idempotencyKey: string): Buffer {
  return hash("sha256", Buffer.concat([credential, Buffer.from(idempotencyKey)]), "buffer");
}
