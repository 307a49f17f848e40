/**
 * One operation, from what was sent to its answer: one statement. What was found wrong on the way is not answered here
 * but handed to api.handle, which answers it in its place in the order of checks: after the credential, and under the
 * Idempotency-Key. (decisions: "Order of checks".)
 */
import { hash } from "node:crypto";
import { isOfPage, type Operation } from "../contract/operation.ts";
import { isRefusalCode, type Problem } from "../contract/refusals.ts";
import { type CredentialClass, classOf, digestOf } from "../secrets/credentials.ts";
import { admit, fingerprint } from "./admission.ts";
import { type Answer, refusal, success } from "./answer.ts";
import { type Batch, isBatch, prepareBatch, wordBatch } from "./batch.ts";
import { counting, rateLimitHeaders, unauthenticated } from "./counting.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { type Count, type Counted, callHandle, type Handled } from "./handle.ts";
import { makeSecret, openMembers, sealMembers, withMember } from "./secrets.ts";
import type { Asked, Service } from "./service.ts";

/** A hook is not asked for a credential of ours: hook-inbox.ts. */
const classes: Partial<Record<Operation["keyClass"], CredentialClass>> = {
  organisation: "bsk",
  platform: "bsp",
  invitation: "bsi",
  approval: "bsa",
};

/** @throws Error of the database or of its connection; the caller decides between 500 and 503. */
export async function perform(asked: Asked, service: Service): Promise<Answer> {
  const { operation, bearer } = asked;
  if (!bearer || classOf(bearer) !== classes[operation.keyClass]) return unauthenticated(asked, service);
  const credential = digestOf(bearer);
  const counted = await counting(asked, credential, service, (admitted, count) =>
    handle(admitted, credential, service, count),
  );
  if (!counted) return unauthenticated(asked, service);
  const { answer, own, secondsLeft, organisationId } = counted;
  Object.assign(answer.headers, rateLimitHeaders(own, secondsLeft), deprecationHeaders(operation.deprecated));
  answer.organisationId = organisationId;
  return answer;
}

type Preparation = {
  input?: Record<string, unknown>;
  problem?: Problem;
  /** The members that show secrets, one a row of the answer. */
  members: (string | undefined)[];
  /** As it was asked, when it is one. */
  batch?: Batch;
};

function prepare(asked: Asked, service: Service): Preparation {
  const admission = asked.problem ? { problem: asked.problem } : admit(asked, service);
  if (admission.problem) return { problem: admission.problem, members: [] };
  if (isBatch(asked.operation)) {
    const batch = admission.input as Batch;
    return { ...prepareBatch(batch, service), batch };
  }
  const secret = asked.operation.secret && makeSecret(asked.operation.secret, service.master);
  return { input: { ...admission.input, ...secret?.stored }, members: [secret?.member] };
}

async function handle(
  asked: Asked,
  credential: Buffer,
  service: Service,
  count: Count | undefined,
): Promise<{ answer: Answer; counted: Counted | null | undefined }> {
  const { operation, requestId, bearer = "", idempotencyKey = "" } = asked;
  const prepared = prepare(asked, service);
  const keyed = !isOfPage(operation) && operation.method === "post" && isKept(prepared.problem);
  const call = {
    credential,
    organisationId: service.identities.get(credential)?.organisationId,
    until: asked.until,
    operation,
    requestId,
    input: asked.span && prepared.input ? { ...prepared.input, traceparent: asked.span.traceparent } : prepared.input,
    problem: prepared.problem,
    idempotency: keyed ? digestOfIdempotencyKey(credential, idempotencyKey) : undefined,
    fingerprint: keyed ? fingerprint(asked) : undefined,
    sealed: sealMembers(prepared.members, { bearer, idempotencyKey }),
    count,
  };
  const handled = await traced(asked, service, () =>
    callHandle(service.lanes, operation.pointRead ? "point" : "pooled", call),
  );
  const answer = worded(handled, asked, prepared, service.apiUrl);
  if (handled.replayed) answer.headers["idempotent-replayed"] = "true";
  return { answer, counted: handled.counted };
}

/** The statement is a span of its own: between the two lies what was waited for here. */
async function traced({ operation, span }: Asked, { tracer }: Service, call: () => Promise<Handled>): Promise<Handled> {
  if (!span || !tracer) return call();
  const statement = tracer.begin(`api.handle ${operation.name}`, "client", span.traceparent, {
    "db.system.name": "postgresql",
    "db.operation.name": operation.name,
  });
  try {
    const handled = await call();
    statement.end({});
    return handled;
  } catch (error) {
    statement.end({}, (error as { code?: string }).code ?? (error as Error).name);
    throw error;
  }
}

function worded(handled: Handled, asked: Asked, { members, batch }: Preparation, apiUrl: string): Answer {
  const { operation, bearer = "", idempotencyKey = "" } = asked;
  const requestId = handled.requestId ?? asked.requestId;
  if (!handled.status) {
    if (!isRefusalCode(handled.refusal)) throw new Error(`SQL refused with an unknown code: ${handled.refusal}`);
    return refusal(handled.refusal, requestId, handled.details);
  }
  const sealed = handled.sealed ? Buffer.from(handled.sealed, "hex") : undefined;
  const shown = sealed ? openMembers(sealed, { bearer, idempotencyKey }) : members;
  const body = batch ? wordBatch(handled.body, batch, shown, requestId) : withMember(handled.body, shown[0]);
  const answer = success(handled.status, body, requestId);
  if (operation.location) answer.headers.location = apiUrl + operation.location + idOf(body);
  return answer;
}

/** Every row begins with its id. */
function idOf(row: string): string {
  return row.slice('{"id":"'.length, '{"id":"'.length + 36);
}

/** Problems that come before the Idempotency-Key in the order of checks leave no record under it. */
function isKept(problem: Problem | undefined): boolean {
  if (!problem) return true;
  if (problem.details?.some((detail) => detail.path === "headers.idempotency-key")) return false;
  return problem.code === "invalid_request" || problem.code === "not_found";
}

function digestOfIdempotencyKey(credential: Buffer, idempotencyKey: string): Buffer {
  return hash("sha256", Buffer.concat([credential, Buffer.from(idempotencyKey)]), "buffer");
}
