/** RATE_LIMITS=shared: the database counts for all processes. A key that is revoked during its call stays counted. */

import { rateLimitHeaders } from "../../web/rate-limiter.ts";
import type { Request } from "../request.ts";
import { withinDeadline } from "../request.ts";
import { costOf } from "../stages/read.ts";
import { refusal } from "../stages/respond.ts";
import type { Counting, CountingParts } from "./counting.ts";
import { type SharedCount, sharedCounts } from "./shared-counts.ts";

export function countShared({ pools, rateLimiter, identities, identityOf, refuse }: CountingParts): Counting {
  const countRequest = sharedCounts(pools);
  const knownOf = ({ credential, address }: Request) => identities.get(credential, address);

  return {
    /** A key that was at its limit is counted before its body is read, with a separate statement. */
    async admit(request) {
      const known = request.readBody ? await identityOf(request) : knownOf(request);
      if (request.readBody && !known) return refusal("unauthenticated", request.requestId);
      if (!known?.isFull) return undefined;
      request.cost = 1;
      return refusalBy(request, 1);
    },
    async count(request) {
      const rest = costOf(request) - request.cost;
      request.cost += rest;
      const known = knownOf(request);
      if (request.operation.method !== "get" || !known || known.isFull) return refusalBy(request, rest);
      // A read has no effect, so it runs meanwhile. If it is not admitted, its answer is not sent.
      request.counting = send(request, rest);
      request.counting.catch(() => {}); // in case the read fails first
      return undefined;
    },
    async settle(request, answering) {
      Promise.resolve(answering).catch(() => {}); // in case counting fails first
      const { credential, address, requestId, counting } = request;
      const { counted, buckets } = (await counting) ?? { counted: null, buckets: [] };
      const isRefused = counting !== undefined && !counted?.admitted;
      const answer = isRefused ? refusal(counted ? "rate_limited" : "unauthenticated", requestId) : await answering;
      if (answer.code === "unauthenticated") {
        identities.forget(credential, address);
        return refuse(request);
      }
      if (!counted) return answer; // the caller disconnected
      const { keyId, organisationId, ratePerMinute, admitted, secondsLeft } = counted;
      const isFull = buckets.some(({ used, limit }) => used >= limit);
      const identity = { keyId, organisationId, ratePerMinute, isFull, wasRefused: !admitted };
      Object.assign(answer.headers, rateLimitHeaders(buckets, secondsLeft));
      return Object.assign(answer, { caller: identities.store(credential, address, identity) });
    },
  };

  /** Waits for the statement that counts. */
  async function refusalBy(request: Request, cost: number) {
    request.counting = send(request, cost);
    const { counted } = await request.counting;
    return counted?.admitted ? undefined : refusal(counted ? "rate_limited" : "unauthenticated", request.requestId);
  }

  async function send(request: Request, cost: number): Promise<SharedCount> {
    const { credential, operation, address } = request;
    const rateLimits = rateLimiter.rateLimitsOf(operation.keyClass);
    const known = knownOf(request);
    const counted = await withinDeadline(request, (until) =>
      countRequest({
        ...{ credential, organisationId: known?.organisationId ?? undefined, operation, address, cost, until },
        limits: rateLimits.map(({ limit }) => limit),
        isAlone: known?.isFull === true || known?.wasRefused === true,
      }),
    );
    const buckets = rateLimits.map(({ name, limit }, index) => ({
      name,
      limit: index === 0 ? Math.min(limit, counted?.ratePerMinute ?? limit) : limit,
      used: counted?.used[index] ?? 0,
    }));
    if (counted && !counted.admitted) rateLimiter.noteRefusal(buckets, cost);
    return { counted, buckets };
  }
}
