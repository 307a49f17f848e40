/**
 * One operation, from what was sent to its answer: one statement. What was found wrong on the way is not answered here
 * but handed to api.handle, which answers it in its place in the order of checks: after the credential, and under the
 * Idempotency-Key. (decisions: "Order of checks".)
 */
import { createHash } from "node:crypto";
import type { Operation } from "../contract/operation.ts";
import { type Detail, isRefusalCode, type Problem } from "../contract/refusals.ts";
import type { Lane, Lanes } from "../database/lanes.ts";
import type { AllowedRanges } from "../delivery/address.ts";
import { classOf, digestOf } from "../secrets/credentials.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { admit, fingerprint, type Sent } from "./admission.ts";
import { type Answer, refusal, success } from "./answer.ts";
import type { Bucket, Buckets } from "./buckets.ts";
import type { Identities } from "./identities.ts";
import { makeSecret, withSecret } from "./secrets.ts";

export type Service = {
  lanes: Lanes;
  buckets: Buckets;
  identities: Identities;
  master: MasterKey;
  allowed: AllowedRanges;
  /** With /api/v1, without a trailing slash. */
  apiUrl: string;
};

export type Asked = Sent & {
  requestId: string;
  bearer: string | undefined;
  address: string | undefined;
  /** What the router or the reader of the body found wrong already. */
  problem?: Problem;
};

type Handled = {
  status: number;
  body: string | null;
  refusal: string | null;
  details: Detail[] | null;
  replayed: boolean;
  sealed: Buffer | null;
  answers: string;
  key_id: string | null;
  organisation_id: string | null;
};

const statement = {
  name: "handle",
  text: "select * from api.handle($1, $2, $3, $4, $5, $6, $7, $8)",
};

/** @throws Error of the database or of its connection; the caller decides between 500 and 503. */
export async function perform(asked: Asked, service: Service): Promise<Answer> {
  const { operation, bearer } = asked;
  const { buckets, identities } = service;
  if (!bearer || classOf(bearer) !== (operation.keyClass === "platform" ? "bsp" : "bsk")) {
    return unauthenticated(asked, service);
  }
  const credential = digestOf(bearer);
  const known = identities.get(credential) ?? (await identify(asked, credential, service));
  if (!known) return unauthenticated(asked, service);

  const own = buckets.of(known.keyId, known.organisationId);
  const admitted = buckets.spend(own);
  const answer = admitted
    ? await handle(asked, credential, service)
    : await handle({ ...asked, problem: { code: "rate_limited" } }, credential, service);
  if (answer.code === "unauthenticated") {
    if (admitted) buckets.giveBack(own);
    identities.forget(credential);
    return unauthenticated(asked, service);
  }
  Object.assign(answer.headers, rateLimitHeaders(own, buckets.secondsLeft()));
  return answer;
}

/**
 * Whose credential this is, asked once by a process, so that the buckets of a key and its organisation are known before
 * its first call is performed. Refusing a call that nobody made tells it without any effect.
 */
async function identify(asked: Asked, credential: Buffer, { lanes, identities }: Service) {
  const handled = await call(lanes, "point", {
    credential,
    operation: asked.operation,
    problem: { code: "rate_limited" },
    requestId: asked.requestId,
  });
  if (!handled.key_id) return undefined;
  return identities.remember(credential, { keyId: handled.key_id, organisationId: handled.organisation_id });
}

async function handle(asked: Asked, credential: Buffer, service: Service): Promise<Answer> {
  const { operation, requestId, bearer = "", idempotencyKey = "" } = asked;
  const admission = asked.problem ? { problem: asked.problem } : admit(asked, service);
  const keyed = operation.method === "post" && isKept(admission.problem);
  const secret =
    operation.secret && admission.input
      ? makeSecret(operation.secret, service.master, bearer, idempotencyKey)
      : undefined;

  const handled = await call(service.lanes, operation.pointRead ? "point" : "pooled", {
    credential,
    operation,
    requestId,
    input: admission.input && { ...admission.input, ...secret?.stored },
    problem: admission.problem,
    idempotency: keyed ? digestOfIdempotencyKey(credential, idempotencyKey) : undefined,
    fingerprint: keyed ? fingerprint(asked) : undefined,
    sealed: secret?.sealed,
  });

  const answer = worded(handled, operation, asked, handled.sealed ?? secret?.sealed, service.apiUrl);
  if (handled.replayed) answer.headers["idempotent-replayed"] = "true";
  return answer;
}

function worded(handled: Handled, operation: Operation, asked: Asked, sealed: Buffer | undefined, apiUrl: string) {
  if (handled.refusal !== null) {
    if (!isRefusalCode(handled.refusal)) throw new Error(`SQL refused with an unknown code: ${handled.refusal}`);
    return refusal(handled.refusal, handled.answers, handled.details);
  }
  let body = handled.body ?? "";
  if (operation.secret && sealed) {
    body = withSecret(body, operation.secret, sealed, asked.bearer ?? "", asked.idempotencyKey ?? "");
  }
  const answer = success(handled.status, body, handled.answers);
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
  return createHash("sha256").update(credential).update(idempotencyKey).digest();
}

/** Counted only here, by address: a failed credential spends nobody's allowance. (Part 8.) */
function unauthenticated({ address, requestId }: Asked, { buckets }: Service): Answer {
  const room = buckets.spend([buckets.ofAddress(address)]);
  return refusal(room ? "unauthenticated" : "rate_limited", requestId);
}

/** The IETF's draft "RateLimit header fields for HTTP". */
function rateLimitHeaders(own: Bucket[], secondsLeft: number): Record<string, string> {
  return {
    "ratelimit-policy": own.map(({ name, limit }) => `"${name}";q=${limit};w=60`).join(", "),
    ratelimit: own.map(({ name, limit, used }) => `"${name}";r=${limit - used};t=${secondsLeft}`).join(", "),
  };
}

async function call(
  lanes: Lanes,
  lane: Lane,
  given: {
    credential: Buffer;
    operation: Operation;
    requestId: string;
    input?: Record<string, unknown> | undefined;
    problem?: Problem | undefined;
    idempotency?: Buffer | undefined;
    fingerprint?: Buffer | undefined;
    sealed?: Buffer | undefined;
  },
): Promise<Handled> {
  const [handled] = await lanes.query<Handled>(lane, {
    ...statement,
    values: [
      given.credential,
      given.operation.name,
      given.input ? JSON.stringify(given.input) : null,
      given.problem ? JSON.stringify(given.problem) : null,
      given.requestId,
      given.idempotency ?? null,
      given.fingerprint ?? null,
      given.sealed ?? null,
    ],
  });
  if (!handled) throw new Error("api.handle answered no row");
  return handled;
}
