/**
 * Performs one operation with one SQL statement. A validation problem is passed to api.handle, which returns it in its place
 * in the order of checks: after the credential, and under the Idempotency-Key.
 * (docs/specification/conventions.md#order-of-checks)
 */
import { hash } from "node:crypto";
import { isOfPage, type Operation } from "../contract/operation.ts";
import { isRefusalCode, type Problem } from "../contract/refusals.ts";
import { fingerprint, problemOfHead, type ValidatedInput, validateInput } from "../request/validation.ts";
import { type CredentialClass, classOf, digestOf } from "../secrets/credentials.ts";
import { makeSecret, openMembers, sealMembers, withMember } from "../secrets/one-time.ts";
import { type Answer, refusal, success } from "./answer/answer.ts";
import { deprecationHeaders } from "./answer/deprecation.ts";
import { type Batch, isBatch, prepareBatch, unfitOperations, wordBatch } from "./batch.ts";
import type { ApiServices, RequestContext, RequestHead } from "./context.ts";
import { type Count, type Counted, callHandle, type Result } from "./handle.ts";
import { withinDeadline } from "./limits/deadline.ts";
import { rateLimitHeaders, unauthenticated, withRateLimits } from "./limits/rate-limiting.ts";

/** Hooks have signatures instead of credentials: hook-inbox.ts. */
const classes: Partial<Record<Operation["keyClass"], CredentialClass>> = {
  organisation: "bsk",
  platform: "bsp",
  invitation: "bsi",
  approval: "bsa",
};

/**
 * Answers within the deadline, not counting the time in which the body arrives.
 *
 * @throws Error of the database or of its connection; the caller maps it to 500 or 503
 */
export async function perform(head: RequestHead, service: ApiServices): Promise<Answer> {
  const { operation, bearer } = head;
  if (!bearer || classOf(bearer) !== classes[operation.keyClass]) return unauthenticated(head, service);
  const credential = digestOf(bearer);
  const counted = await withRateLimits(head, credential, service, (context, count) =>
    withinDeadline((until) => handle({ ...context, until }, credential, service, count), context.since),
  );
  if (!counted) return unauthenticated(head, service);
  const { answer, own, secondsLeft, organisationId } = counted;
  Object.assign(answer.headers, rateLimitHeaders(own, secondsLeft), deprecationHeaders(operation.deprecated));
  answer.organisationId = organisationId;
  return answer;
}

type Preparation = {
  input?: Record<string, unknown>;
  problem?: Problem;
  /** The JSON members that show secrets, one for each row of the answer. */
  members: (string | undefined)[];
  /** Set if the operation is a batch. */
  batch?: Batch;
};

function prepare(context: RequestContext, service: ApiServices): Preparation {
  const validated = context.problem ? { problem: context.problem } : validateWhole(context, service);
  if (validated.problem) return { problem: validated.problem, members: [] };
  if (isBatch(context.operation)) {
    const batch = validated.input as Batch;
    return { ...prepareBatch(batch, service), batch };
  }
  const secret = context.operation.secret && makeSecret(context.operation.secret, service.master);
  return { input: { ...validated.input, ...secret?.stored }, members: [secret?.member] };
}

/** Adds the operations that a batch must not contain to the details. */
function validateWhole(context: RequestContext, service: ApiServices): ValidatedInput {
  const validated = validateInput(context, service);
  if (!isBatch(context.operation) || "problem" in context.body || problemOfHead(context)) return validated;
  const details = [...(validated.problem?.details ?? []), ...unfitOperations(context.body.value)];
  return details.length > 0 ? { problem: { code: "invalid_request", details } } : validated;
}

async function handle(
  context: RequestContext,
  credential: Buffer,
  service: ApiServices,
  count: Count | undefined,
): Promise<{ answer: Answer; counted: Counted | null | undefined }> {
  const { operation, requestId, bearer = "", idempotencyKey = "" } = context;
  const prepared = prepare(context, service);
  const isStored = !isOfPage(operation) && operation.method === "post" && isStorable(prepared.problem);
  const call = {
    credential,
    organisationId: service.identities.get(credential)?.organisationId,
    until: context.until,
    operation,
    requestId,
    input:
      context.span && prepared.input ? { ...prepared.input, traceparent: context.span.traceparent } : prepared.input,
    problem: prepared.problem,
    idempotency: isStored ? digestOfIdempotencyKey(credential, idempotencyKey) : undefined,
    fingerprint: isStored ? fingerprint(context) : undefined,
    sealed: sealMembers(prepared.members, { bearer, idempotencyKey }),
    count,
  };
  const result = await traced(context, service, () =>
    callHandle(service.pools, operation.pointRead ? "point" : "pooled", call),
  );
  const answer = answerOf(result, context, prepared, service.apiUrl);
  if (result.replayed) answer.headers["idempotent-replayed"] = "true";
  return { answer, counted: result.counted };
}

/** The statement has its own span. The difference to the request's span is time spent in this process. */
async function traced(
  { operation, span }: RequestContext,
  { tracer }: ApiServices,
  call: () => Promise<Result>,
): Promise<Result> {
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

function answerOf(result: Result, context: RequestContext, { members, batch }: Preparation, apiUrl: string): Answer {
  const { operation, bearer = "", idempotencyKey = "" } = context;
  const requestId = result.requestId ?? context.requestId;
  if (!result.status) {
    if (!isRefusalCode(result.refusal)) throw new Error(`SQL refused with an unknown code: ${result.refusal}`);
    return refusal(result.refusal, requestId, result.details, result.reason);
  }
  const sealed = result.sealed ? Buffer.from(result.sealed, "hex") : undefined;
  const shown = sealed ? openMembers(sealed, { bearer, idempotencyKey }) : members;
  const body = batch ? wordBatch(result.body, batch, shown, requestId) : withMember(result.body, shown[0]);
  const answer = success(result.status, body, requestId);
  if (operation.location) answer.headers.location = apiUrl + operation.location + idOf(body);
  return answer;
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
