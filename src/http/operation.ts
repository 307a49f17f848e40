/**
 * One operation, from what was sent to its answer: one statement. What was found wrong on the way is not answered here
 * but handed to api.handle, which answers it in its place in the order of checks: after the credential, and under the
 * Idempotency-Key. (decisions: "Order of checks".)
 */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isOfPage, type Operation } from "../contract/operation.ts";
import { isRefusalCode, type Problem } from "../contract/refusals.ts";
import type { Lanes } from "../database/lanes.ts";
import type { AllowedRanges } from "../delivery/address.ts";
import type { RequestMetrics } from "../metrics/requests.ts";
import { type CredentialClass, classOf, digestOf } from "../secrets/credentials.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import type { Span, Tracer } from "../tracing/spans.ts";
import { admit, fingerprint, type Sent } from "./admission.ts";
import { type Answer, refusal, success } from "./answer.ts";
import { type Batch, isBatch, prepareBatch, wordBatch } from "./batch.ts";
import type { Bucket, Buckets } from "./buckets.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { callHandle, type Handled } from "./handle.ts";
import type { Identities } from "./identities.ts";
import type { RequestMinutes } from "./request-minutes.ts";
import { makeSecret, openMembers, sealMembers, withMember } from "./secrets.ts";
import type { Watching } from "./watching/watching.ts";

export type Service = {
  lanes: Lanes;
  buckets: Buckets;
  identities: Identities;
  master: MasterKey;
  allowed: AllowedRanges;
  /** Who calls, for the bucket of callers without a credential. */
  addressOf: (request: IncomingMessage) => string | undefined;
  /** With /api/v1, without a trailing slash. */
  apiUrl: string;
  watching: Watching;
  requestMinutes: RequestMinutes;
  metrics: RequestMetrics;
  /** Undefined where no traces are kept. */
  tracer: Tracer | undefined;
};

export type Asked = Sent & {
  requestId: string;
  bearer: string | undefined;
  address: string | undefined;
  /** What the router or the reader of the body found wrong already. */
  problem?: Problem;
  /** The span of the request, where traces are kept. */
  span?: Span | undefined;
  /** A request that was counted already reads once more. */
  again?: boolean;
};

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
  const { buckets, identities } = service;
  if (!bearer || classOf(bearer) !== classes[operation.keyClass]) return unauthenticated(asked, service);
  const credential = digestOf(bearer);
  const known = identities.get(credential) ?? (await identify(asked, credential, service));
  if (!known) return unauthenticated(asked, service);

  const own = buckets.of(known.keyId, known.organisationId);
  const cost = costOf(asked);
  const admitted = buckets.spend(own, cost);
  const answer = admitted
    ? await handle(asked, credential, service)
    : await handle({ ...asked, problem: { code: "rate_limited" } }, credential, service);
  if (answer.code === "unauthenticated") {
    if (admitted) buckets.giveBack(own, cost);
    identities.forget(credential);
    return unauthenticated(asked, service);
  }
  Object.assign(answer.headers, rateLimitHeaders(own, buckets.secondsLeft()), deprecationHeaders(operation.deprecated));
  answer.organisationId = known.organisationId;
  return answer;
}

/** Each operation of a batch counts as one request; what is no batch at all counts as the one that it is. */
function costOf({ operation, body, again }: Asked): number {
  if (again) return 0;
  if (!isBatch(operation) || "problem" in body || !Array.isArray(body.value.operations)) return 1;
  return Math.min(Math.max(body.value.operations.length, 1), 50);
}

/**
 * Whose credential this is, asked once by a process, so that the buckets of a key and its organisation are known before
 * its first call is performed. Refusing a call that nobody made tells it without any effect.
 */
async function identify(asked: Asked, credential: Buffer, { lanes, identities }: Service) {
  const handled = await callHandle(lanes, "point", {
    credential,
    operation: asked.operation,
    problem: { code: "rate_limited" },
    requestId: asked.requestId,
  });
  if (!handled.keyId) return undefined;
  return identities.remember(credential, { keyId: handled.keyId, organisationId: handled.organisationId ?? null });
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

async function handle(asked: Asked, credential: Buffer, service: Service): Promise<Answer> {
  const { operation, requestId, bearer = "", idempotencyKey = "" } = asked;
  const prepared = prepare(asked, service);
  const keyed = !isOfPage(operation) && operation.method === "post" && isKept(prepared.problem);
  const call = {
    credential,
    operation,
    requestId,
    input: asked.span && prepared.input ? { ...prepared.input, traceparent: asked.span.traceparent } : prepared.input,
    problem: prepared.problem,
    idempotency: keyed ? digestOfIdempotencyKey(credential, idempotencyKey) : undefined,
    fingerprint: keyed ? fingerprint(asked) : undefined,
    sealed: sealMembers(prepared.members, { bearer, idempotencyKey }),
  };
  const handled = await traced(asked, service, () =>
    callHandle(service.lanes, operation.pointRead ? "point" : "pooled", call),
  );
  const answer = worded(handled, asked, prepared, service.apiUrl);
  if (handled.replayed) answer.headers["idempotent-replayed"] = "true";
  return answer;
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

/** Counted only here, by address: a failed credential spends nobody's allowance. (Part 8.) */
function unauthenticated({ address, requestId }: Asked, { buckets }: Service): Answer {
  const room = buckets.spend([buckets.ofAddress(address)]);
  return refusal(room ? "unauthenticated" : "rate_limited", requestId);
}

/** The IETF's draft "RateLimit header fields for HTTP". */
export function rateLimitHeaders(own: Bucket[], secondsLeft: number): Record<string, string> {
  return {
    "ratelimit-policy": own.map(({ name, limit }) => `"${name}";q=${limit};w=60`).join(", "),
    ratelimit: own.map(({ name, limit, used }) => `"${name}";r=${limit - used};t=${secondsLeft}`).join(", "),
  };
}
