/**
 * What a request counts against, and where that is counted: in the buckets of this process, or in allowances that all
 * processes share, in the database, in the round trip of the call itself (RATE_LIMITS; sql/api/handle_counted.sql).
 */
import { type Answer, refusal } from "./answer.ts";
import { isBatch } from "./batch.ts";
import type { Allowance, Bucket } from "./buckets.ts";
import { type Count, type Counted, callHandle } from "./handle.ts";
import type { Asked, Service } from "./service.ts";

/** An answer, and what it was counted in; undefined where the credential was nobody's. */
export type CountedAnswer = { answer: Answer; own: Bucket[]; secondsLeft: number; organisationId: string | null };

/** Performs what was asked; with a count, in the statement that counts it. */
export type Handle = (asked: Asked, count?: Count) => Promise<{ answer: Answer; counted?: Counted | null | undefined }>;

/** @throws Error of the database or of its connection. */
export function counting(
  asked: Asked,
  credential: Buffer,
  service: Service,
  handle: Handle,
): Promise<CountedAnswer | undefined> {
  return service.rateLimits === "shared"
    ? countShared(asked, credential, service, handle)
    : count(asked, credential, service, handle);
}

async function count(
  asked: Asked,
  credential: Buffer,
  service: Service,
  handle: Handle,
): Promise<CountedAnswer | undefined> {
  const { buckets, identities } = service;
  const known = identities.get(credential) ?? (await identify(asked, credential, service));
  if (!known) return undefined;
  const own = buckets.of(known.keyId, known.organisationId);
  const cost = costOf(asked);
  const admitted = buckets.spend(own, cost);
  const { answer } = await handle(admitted ? asked : { ...asked, problem: { code: "rate_limited" } });
  if (answer.code === "unauthenticated") {
    if (admitted) buckets.giveBack(own, cost);
    identities.forget(credential);
    return undefined;
  }
  return { answer, own, secondsLeft: buckets.secondsLeft(), organisationId: known.organisationId };
}

/** What the database has counted is not given back where the credential ends in the same instant: it was good then. */
async function countShared(
  asked: Asked,
  credential: Buffer,
  service: Service,
  handle: Handle,
): Promise<CountedAnswer | undefined> {
  const { buckets, identities } = service;
  const allowances = buckets.allowancesOf(asked.operation.keyClass);
  const cost = costOf(asked);
  const { answer, counted } = await handle(asked, { cost, limits: allowances.map(({ limit }) => limit) });
  if (!counted || answer.code === "unauthenticated") {
    identities.forget(credential);
    return undefined;
  }
  const { keyId, organisationId, secondsLeft } = counted;
  identities.remember(credential, { keyId, organisationId }); // connections are shared among organisations
  const own = filled(allowances, counted);
  if (answer.code === "rate_limited") buckets.noteRefusal(own, cost);
  return { answer, own, secondsLeft, organisationId };
}

/** Allowances with what is used of them. */
export const filled = (allowances: Allowance[], { used }: Counted): Bucket[] =>
  allowances.map((allowance, place) => ({ ...allowance, used: used[place] ?? 0 }));

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
    until: asked.until,
  });
  if (!handled.keyId) return undefined;
  return identities.remember(credential, { keyId: handled.keyId, organisationId: handled.organisationId ?? null });
}

/** Counted only here, by address: a failed credential spends nobody's allowance. (Part 8.) */
export function unauthenticated({ address, requestId }: Asked, { buckets }: Service): Answer {
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
