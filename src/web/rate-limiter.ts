/**
 * Rate limits: fixed windows of one minute, per process. With RATE_LIMITS=shared, the database counts for keys, organisations
 * and hooks, and this file only for addresses. All windows end at the same instant: one step frees all buckets, and memory
 * is bounded by the callers of one minute. Libraries keep a timer or an entry per caller and have no refund.
 * (docs/specification/conventions.md#rate-limits)
 */

import type { Operation } from "../contract/operation.ts";
import { networkOf } from "./head.ts";

export type RateLimit = { name: string; limit: number };
export type Bucket = RateLimit & { used: number };

const windowMs = 60_000;

/** Further addresses of a window share the bucket of callers without an address. */
const maxAddresses = 20_000;

export type Limits = Record<
  "key" | "organisation" | "platformKey" | "hook" | "clientDocument" | "address" | "withoutAddress",
  number
>;

/** Requests per minute. */
export const specified: Limits = {
  key: 300,
  organisation: 1000,
  platformKey: 60,
  hook: 60,
  clientDocument: 30,
  address: 60,
  withoutAddress: 3000,
};

export type RateLimiter = ReturnType<typeof makeRateLimiter>;

/**
 * @param now milliseconds; tests pass their own clock
 * @param limits requests per minute
 */
export function makeRateLimiter(now: () => number = Date.now, limits: Limits = specified) {
  let window = 0;
  let buckets = new Map<string, Bucket>();
  let addresses = 0;
  /** Refusals since the process started, by name. */
  const refused: Record<string, number> = {};

  function startWindow(): void {
    const current = Math.floor(now() / windowMs);
    if (current === window) return;
    window = current;
    buckets = new Map();
    addresses = 0;
  }

  function bucket(name: string, id: string, limit: number): Bucket {
    const found = buckets.get(name + id);
    if (found) return Object.assign(found, { limit }); // a key's own limit may have changed
    const made = { name, limit, used: 0 };
    buckets.set(name + id, made);
    return made;
  }

  /** Returns whether a bucket lacks room for the cost, and counts the refusal. */
  function noteRefusal(from: Bucket[], cost: number): boolean {
    const full = from.find((each) => each.used + cost > each.limit);
    if (full) refused[full.name] = (refused[full.name] ?? 0) + 1;
    return full !== undefined;
  }

  return {
    /** The rate limits of a class of credentials, for the database. A link in a mail has the limit of a platform key. */
    rateLimitsOf(keyClass: Operation["keyClass"]): RateLimit[] {
      if (keyClass === "hook") return [{ name: "hook", limit: limits.hook }];
      if (keyClass !== "organisation") return [{ name: "platform-key", limit: limits.platformKey }];
      return [
        { name: "key", limit: limits.key },
        { name: "organisation", limit: limits.organisation },
      ];
    },

    /** The buckets of an authenticated caller. @param ratePerMinute the key's own limit */
    of(keyId: string, organisationId: string | null, ratePerMinute?: number | null): Bucket[] {
      startWindow();
      const ofKey = Math.min(limits.key, ratePerMinute ?? limits.key);
      return organisationId
        ? [bucket("key", keyId, ofKey), bucket("organisation", organisationId, limits.organisation)]
        : [bucket("platform-key", keyId, limits.platformKey)];
    },

    /** Separate from the organisation's bucket, which posts to a hook must not use up. */
    ofHook(hookId: string): Bucket[] {
      startWindow();
      return [bucket("hook", hookId, limits.hook)];
    },

    /** Each document of an MCP client is a request to an address that the caller chose. */
    ofClientDocuments(organisationId: string): Bucket[] {
      startWindow();
      return [bucket("client-document", organisationId, limits.clientDocument)];
    },

    /** The bucket of unauthenticated requests from this address. */
    ofAddress(from: string | undefined): Bucket {
      startWindow();
      const address = from && networkOf(from);
      if (!address || (addresses >= maxAddresses && !buckets.has(`address${address}`))) {
        return bucket("without-address", "", limits.withoutAddress);
      }
      if (!buckets.has(`address${address}`)) addresses += 1;
      return bucket("address", address, limits.address);
    },

    /** Consumes the cost from all buckets; returns false and consumes nothing if one of them lacks room. */
    consume(from: Bucket[], cost = 1): boolean {
      if (noteRefusal(from, cost)) return false;
      for (const each of from) each.used += cost;
      return true;
    },

    noteRefusal,

    /** Undoes `consume` for a request that was not authenticated after all. */
    refund(to: Bucket[], cost = 1): void {
      for (const each of to) each.used -= cost;
    },

    /** The number of buckets in this window, by name. */
    inUse(): Record<string, number> {
      startWindow();
      const counts: Record<string, number> = {};
      for (const { name } of buckets.values()) counts[name] = (counts[name] ?? 0) + 1;
      return counts;
    },

    /** The number of refusals, by name. */
    refused: (): Record<string, number> => ({ ...refused }),

    /** Seconds until the window ends. */
    secondsLeft(): number {
      return Math.ceil((windowMs - (now() % windowMs)) / 1000);
    },
  };
}

/** IETF draft "RateLimit header fields for HTTP". */
export function rateLimitHeaders(buckets: Bucket[], secondsLeft: number): Record<string, string> {
  return {
    "ratelimit-policy": buckets.map(({ name, limit }) => `"${name}";q=${limit};w=60`).join(", "),
    ratelimit: buckets.map(({ name, limit, used }) => `"${name}";r=${limit - used};t=${secondsLeft}`).join(", "),
  };
}
