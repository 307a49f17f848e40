/**
 * Counts requests for the rate limits. With RATE_LIMITS=process each process counts; with `shared` the database counts for
 * all processes, in a statement of its own. (docs/specification/conventions.md#rate-limits)
 */
import type { Problem } from "../../contract/refusals.ts";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import { digestOf } from "../../secrets/credentials.ts";
import { type RateLimiter, rateLimitHeaders } from "../../web/rate-limiter.ts";
import { noBody } from "../body.ts";
import type { Counting, CountingParts } from "../limits/counting.ts";
import { countShared } from "../limits/shared.ts";
import { type Answer, type Request, withinDeadline } from "../request.ts";
import type { Identities } from "./authenticate.ts";
import { callHandle } from "./call.ts";
import { costOf } from "./read.ts";
import { refusal } from "./respond.ts";

export type Limits = Counting & {
  /**
   * Counts for the caller's address: a failed credential uses no other rate limit.
   * (docs/specification/conventions.md#rate-limits)
   */
  refuse(request: Request, problem?: Problem): Answer;
  /** Whether a 404 may be sent for an unknown path. It counts for the address, unless this process knows the credential. */
  mayAnswerUnknownPath(bearer: string | undefined, address: string | undefined): boolean;
};

type Settings = {
  pools: ApiPools;
  rateLimiter: RateLimiter;
  identities: Identities;
  /** Whether each process counts requests itself, or the database counts for all processes. */
  mode: "process" | "shared";
};

export function makeLimits({ mode, ...parts }: Settings): Limits {
  const { pools, rateLimiter, identities } = parts;
  const countsForAddress = (address: string | undefined) => rateLimiter.consume([rateLimiter.ofAddress(address)]);
  const refuse: Limits["refuse"] = ({ address, requestId }, { code, details, reason } = { code: "unauthenticated" }) =>
    countsForAddress(address) ? refusal(code, requestId, details, reason) : refusal("rate_limited", requestId);

  /**
   * A process asks the database once a minute per credential and address: before a call is counted, and before a body is
   * read. The call carries a problem, so that it has no effect.
   */
  async function identityOf({ credential, address, operation, requestId, since, deadlineMs }: Request) {
    const known = identities.get(credential, address);
    if (known && !identities.isStale(known)) return known;
    const problem = { code: "rate_limited" as const };
    const result = await withinDeadline({ since, deadlineMs }, (until) =>
      callHandle(pools, "point", { credential, address, operation, problem, requestId, until }),
    );
    if (!result.keyId) {
      identities.forget(credential, address);
      return undefined;
    }
    const { keyId, organisationId = null, ratePerMinute } = result;
    return identities.store(credential, address, { keyId, organisationId, ratePerMinute });
  }

  const count = mode === "shared" ? countShared : countInProcess;
  return {
    ...count({ ...parts, refuse, identityOf }),
    refuse,
    mayAnswerUnknownPath(bearer, address) {
      const isKnown = bearer !== undefined && identities.get(digestOf(bearer), address) !== undefined;
      return isKnown || countsForAddress(address);
    },
  };
}

/** RATE_LIMITS=process: each process counts the requests that it answers. */
function countInProcess({ rateLimiter, identities, identityOf, refuse }: CountingParts): Counting {
  return {
    async admit(request) {
      const known = await identityOf(request);
      if (!known) return refusal("unauthenticated", request.requestId);
      const { keyId, organisationId, ratePerMinute } = known;
      request.caller = known;
      request.buckets = isHook(request)
        ? rateLimiter.ofHook(keyId)
        : rateLimiter.of(keyId, organisationId, ratePerMinute);
      return consume(request, request.again ? 0 : 1);
    },
    async count(request) {
      const rest = costOf(request) - request.cost;
      return rest > 0 && request.problem?.code !== "rate_limited" ? consume(request, rest) : undefined;
    },
    async settle(request, answering) {
      const answer = await answering;
      if (answer.code === "unauthenticated") {
        rateLimiter.refund(request.buckets, request.cost);
        identities.forget(request.credential, request.address);
        return refuse(request);
      }
      Object.assign(answer.headers, rateLimitHeaders(request.buckets, rateLimiter.secondsLeft()));
      return Object.assign(answer, { caller: request.caller });
    },
  };

  /** A request that is not admitted still reaches the database, which says first whether the credential is live. */
  function consume(request: Request, cost: number): Answer | undefined {
    if (rateLimiter.consume(request.buckets, cost)) {
      request.cost += cost;
      return undefined;
    }
    rateLimiter.refund(request.buckets, request.cost);
    request.cost = 0;
    // The signature of a post to a hook was verified just now.
    if (isHook(request)) return refusal("rate_limited", request.requestId);
    request.problem = { code: "rate_limited" };
    request.body = noBody;
    return undefined;
  }
}

const isHook = ({ operation }: Request): boolean => operation.keyClass === "hook";
