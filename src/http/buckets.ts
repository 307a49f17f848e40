/**
 * Request buckets: fixed windows of one minute, per process. (Part 8.) Where RATE_LIMITS is shared, those of keys,
 * organisations and hooks are counted in the database instead, and here those of addresses alone. All windows turn at the same instant, so that
 * forgetting is one step and memory is bounded by who called within a minute. Our own, because the libraries for this
 * keep a timer or an entry for each caller and cannot give back what was spent.
 */

import type { Operation } from "../contract/operation.ts";

export type Allowance = { name: string; limit: number };
export type Bucket = Allowance & { used: number };

const windowMs = 60_000;

/** Beyond so many addresses in one window, the rest share the bucket of callers without an address. */
const mostAddresses = 20_000;

export type Limits = Record<"key" | "organisation" | "platformKey" | "hook" | "address" | "withoutAddress", number>;

/** Requests per minute. */
export const specified: Limits = {
  key: 300,
  organisation: 1000,
  platformKey: 60,
  hook: 60,
  address: 60,
  withoutAddress: 3000,
};

export type Buckets = ReturnType<typeof makeBuckets>;

/**
 * @param now milliseconds; a test gives its own clock
 * @param limits requests per minute; the benchmark gives its own
 */
export function makeBuckets(now: () => number = Date.now, limits: Limits = specified) {
  let window = 0;
  let buckets = new Map<string, Bucket>();
  let addresses = 0;
  /** Since the process began, by name. */
  const refused: Record<string, number> = {};

  function turn(): void {
    const current = Math.floor(now() / windowMs);
    if (current === window) return;
    window = current;
    buckets = new Map();
    addresses = 0;
  }

  function bucket(name: string, id: string, limit: number): Bucket {
    const found = buckets.get(name + id);
    if (found) return found;
    const made = { name, limit, used: 0 };
    buckets.set(name + id, made);
    return made;
  }

  /** Whether one is too full for the cost, which is then noted as a refusal by it. */
  function noteRefusal(from: Bucket[], cost: number): boolean {
    const full = from.find((each) => each.used + cost > each.limit);
    if (full) refused[full.name] = (refused[full.name] ?? 0) + 1;
    return full !== undefined;
  }

  return {
    /**
     * What counts what is asked with a credential of this class, for who counts elsewhere. A link in a mail has the room of a
     * platform key.
     */
    allowancesOf(keyClass: Operation["keyClass"]): Allowance[] {
      if (keyClass === "hook") return [{ name: "hook", limit: limits.hook }];
      if (keyClass !== "organisation") return [{ name: "platform-key", limit: limits.platformKey }];
      return [
        { name: "key", limit: limits.key },
        { name: "organisation", limit: limits.organisation },
      ];
    },

    /** The buckets of an authenticated caller. */
    of(keyId: string, organisationId: string | null): Bucket[] {
      turn();
      return organisationId
        ? [bucket("key", keyId, limits.key), bucket("organisation", organisationId, limits.organisation)]
        : [bucket("platform-key", keyId, limits.platformKey)];
    },

    /** The bucket of what is posted to a hook, apart from its organisation's: whoever posts must not use that up. */
    ofHook(hookId: string): Bucket[] {
      turn();
      return [bucket("hook", hookId, limits.hook)];
    },

    /** The bucket in which the refusals of a caller without a credential are counted. */
    ofAddress(address: string | undefined): Bucket {
      turn();
      if (!address || (addresses >= mostAddresses && !buckets.has(`address${address}`))) {
        return bucket("without-address", "", limits.withoutAddress);
      }
      if (!buckets.has(`address${address}`)) addresses += 1;
      return bucket("address", address, limits.address);
    },

    /** Takes the cost from each, or from none and answers false when one of them is full. */
    spend(from: Bucket[], cost = 1): boolean {
      if (noteRefusal(from, cost)) return false;
      for (const each of from) each.used += cost;
      return true;
    },

    noteRefusal,

    /** For a request that turned out not to be the caller's. */
    giveBack(to: Bucket[], cost = 1): void {
      for (const each of to) each.used -= cost;
    },

    /** How many there are within this window, by name. */
    held(): Record<string, number> {
      turn();
      const counts: Record<string, number> = {};
      for (const { name } of buckets.values()) counts[name] = (counts[name] ?? 0) + 1;
      return counts;
    },

    /** How often one was found full, by name. */
    refused: (): Record<string, number> => ({ ...refused }),

    /** Seconds until the window turns. */
    secondsLeft(): number {
      return Math.ceil((windowMs - (now() % windowMs)) / 1000);
    },
  };
}
