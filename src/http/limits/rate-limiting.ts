/**
 * Applies rate limits to operations. With RATE_LIMITS=process each process counts; with `shared` the database counts for all
 * processes, in a statement of its own. (shared-counts.ts)
 */

import type { Problem } from "../../contract/refusals.ts";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import { digestOf } from "../../secrets/credentials.ts";
import type { Bucket, RateLimiter } from "../../web/rate-limiter.ts";
import { type Answer, type Caller, refusal } from "../answer/answer.ts";
import type { RequestContext, RequestHead } from "../context.ts";
import { callHandle } from "../handle.ts";
import { costOf, rateLimitedContext, withBody } from "./cost.ts";
import { withinDeadline } from "./deadline.ts";
import type { Identities } from "./identities.ts";
import { type Counted, sharedCounts } from "./shared-counts.ts";

/** An answer with the buckets that it counted in. */
type CountedAnswer = { answer: Answer; own: Bucket[]; secondsLeft: number; caller?: Caller };

type SharedCount = { counted: Counted | null; own: Bucket[] };

/** Performs the request. */
export type Handle = (context: RequestContext) => Promise<Answer>;

export type RateLimiting = {
  /** Returns undefined if the credential is unknown. @throws Error of the database or of its connection */
  apply(head: RequestHead, credential: Buffer, handle: Handle): Promise<CountedAnswer | undefined>;
  /**
   * Counts for the caller's address: a failed credential uses no other rate limit.
   * (docs/specification/conventions.md#rate-limits)
   */
  refuseUnauthenticated(head: RequestHead, problem?: Problem): Answer;
  /** Whether a 404 may be sent for an unknown path. It counts for the address, unless this process knows the credential. */
  mayAnswerUnknownPath(bearer: string | undefined, address: string | undefined): boolean;
};

type Parts = {
  pools: ApiPools;
  rateLimiter: RateLimiter;
  identities: Identities;
  /** Whether each process counts requests itself, or the database counts for all processes. */
  mode: "process" | "shared";
};

export function makeRateLimiting({ pools, rateLimiter, identities, mode }: Parts): RateLimiting {
  const countRequest = sharedCounts(pools);
  const countsForAddress = (address: string | undefined) => rateLimiter.consume([rateLimiter.ofAddress(address)]);

  return {
    apply: mode === "shared" ? countShared : countLocal,
    refuseUnauthenticated({ address, requestId }, { code, details, reason } = { code: "unauthenticated" }) {
      return countsForAddress(address) ? refusal(code, requestId, details, reason) : refusal("rate_limited", requestId);
    },
    mayAnswerUnknownPath(bearer, address) {
      const isKnown = bearer !== undefined && identities.get(digestOf(bearer), address) !== undefined;
      return isKnown || countsForAddress(address);
    },
  };

  async function countLocal(head: RequestHead, credential: Buffer, handle: Handle): Promise<CountedAnswer | undefined> {
    const known = await identityOf(head, credential);
    if (!known) return undefined;
    const isHook = head.operation.keyClass === "hook";
    const own = isHook
      ? rateLimiter.ofHook(known.keyId)
      : rateLimiter.of(known.keyId, known.organisationId, known.ratePerMinute);
    let cost = head.again ? 0 : 1;
    let context: RequestContext | undefined;
    if (rateLimiter.consume(own, cost)) {
      context = await withBody(head);
      if (!context) return disconnected(head, own);
      const rest = costOf(context) - cost;
      if (rest > 0 && !rateLimiter.consume(own, rest)) {
        rateLimiter.refund(own, cost);
        context = undefined;
      } else cost += rest;
    }
    // The signature of a post to a hook was verified just now: its refusal needs no statement.
    const answer =
      isHook && !context ? refusal("rate_limited", head.requestId) : await handle(context ?? rateLimitedContext(head));
    if (answer.code === "unauthenticated") {
      if (context) rateLimiter.refund(own, cost);
      identities.forget(credential, head.address);
      return undefined;
    }
    return { answer, own, secondsLeft: rateLimiter.secondsLeft(), caller: known };
  }

  /** A key that is revoked during the call gets no refund. */
  async function countShared(
    head: RequestHead,
    credential: Buffer,
    handle: Handle,
  ): Promise<CountedAnswer | undefined> {
    const known = head.hasBody ? await identityOf(head, credential) : identities.get(credential, head.address);
    if (head.hasBody && !known) return undefined;
    // A key that was at its limit is counted before its body is read, with a separate statement.
    const probe = known?.isFull ? await count(head, credential, 1) : undefined;
    if (probe && !isAdmitted(probe)) return answerOf(probe);
    const context = await withBody(head);
    if (!context) return disconnected(head, []);
    const counting = count(context, credential, costOf(context) - (probe ? 1 : 0));
    // A read has no effect, so it runs meanwhile. If it is not admitted, its answer is not sent.
    const reading = head.operation.method === "get" && known && !known.isFull ? handle(context) : undefined;
    reading?.catch(() => {}); // in case counting fails first
    const counted = await counting;
    return isAdmitted(counted) ? answerOf(counted, await (reading ?? handle(context))) : answerOf(counted);

    function answerOf(
      { counted, own }: SharedCount,
      answer = refusal(counted ? "rate_limited" : "unauthenticated", head.requestId),
    ): CountedAnswer | undefined {
      if (!counted || answer.code === "unauthenticated") {
        identities.forget(credential, head.address);
        return undefined;
      }
      const { keyId, organisationId, ratePerMinute, admitted, secondsLeft } = counted;
      const isFull = own.some(({ used, limit }) => used >= limit);
      const caller = identities.store(credential, head.address, {
        keyId,
        organisationId,
        ratePerMinute,
        isFull,
        wasRefused: !admitted,
      });
      return { answer, own, secondsLeft, caller };
    }
  }

  async function count(head: RequestHead, credential: Buffer, cost: number): Promise<SharedCount> {
    const rateLimits = rateLimiter.rateLimitsOf(head.operation.keyClass);
    const known = identities.get(credential, head.address);
    const counted = await withinDeadline(head, (until) =>
      countRequest({
        ...{ credential, organisationId: known?.organisationId ?? undefined },
        ...{ operation: head.operation, address: head.address, cost, until },
        limits: rateLimits.map(({ limit }) => limit),
        isAlone: known?.isFull === true || known?.wasRefused === true,
      }),
    );
    const own = rateLimits.map(({ name, limit }, index) => ({
      name,
      limit: index === 0 ? Math.min(limit, counted?.ratePerMinute ?? limit) : limit,
      used: counted?.used[index] ?? 0,
    }));
    if (counted && !counted.admitted) rateLimiter.noteRefusal(own, cost);
    return { counted, own };
  }

  /** The caller never gets this answer. Nothing was stored under the Idempotency-Key, so the request can be sent again. */
  function disconnected({ requestId }: RequestHead, own: Bucket[]): CountedAnswer {
    const answer = refusal("invalid_request", requestId);
    return { answer, own, secondsLeft: rateLimiter.secondsLeft() };
  }

  /**
   * The key and organisation of a credential. A process asks the database once a minute per credential and address: before a
   * call is counted, and before a body is read. The call carries a problem, so that it has no effect.
   */
  async function identityOf(head: RequestHead, credential: Buffer) {
    const known = identities.get(credential, head.address);
    if (known && !identities.isStale(known)) return known;
    const { operation, requestId, address } = head;
    const problem = { code: "rate_limited" as const };
    const result = await withinDeadline(head, (until) =>
      callHandle(pools, "point", { credential, address, operation, problem, requestId, until }),
    );
    if (!result.keyId) {
      identities.forget(credential, address);
      return undefined;
    }
    const { keyId, organisationId = null, ratePerMinute } = result;
    return identities.store(credential, head.address, { keyId, organisationId, ratePerMinute });
  }
}

const isAdmitted = ({ counted }: SharedCount) => counted?.admitted === true;

/** IETF draft "RateLimit header fields for HTTP". */
export function rateLimitHeaders(own: Bucket[], secondsLeft: number): Record<string, string> {
  return {
    "ratelimit-policy": own.map(({ name, limit }) => `"${name}";q=${limit};w=60`).join(", "),
    ratelimit: own.map(({ name, limit, used }) => `"${name}";r=${limit - used};t=${secondsLeft}`).join(", "),
  };
}
