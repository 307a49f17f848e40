import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { type AllowedRanges, isReachable, withoutBrackets } from "./address.ts";
import type { ResolveName } from "./dns.ts";

/** Resolves and checks a host's addresses, and lets connections use only these. */
export type CheckedResolver = {
  /**
   * Resolves a URL's host again. Null if all its addresses are reachable; otherwise the failure code: `address` if at least
   * one is refused, `dns` if the name has none.
   */
  check(hostname: string): Promise<"address" | "dns" | null>;

  /** The last result of `check` for a host. Empty for an unchecked host. */
  addressesOf(hostname: string): readonly LookupAddress[];

  /** The same for `net.connect`, which does not look up literal addresses. */
  lookup: LookupFunction;
};

/**
 * Prevents DNS rebinding: a name could resolve to a public address at the check and to a private one at the connection. So
 * connections use the addresses of `check`, which are kept for `keepMs`, the length of an attempt.
 */
export function createResolver(allowed: AllowedRanges, keepMs: number, resolveName: ResolveName): CheckedResolver {
  const checked = new Map<string, { addresses: LookupAddress[]; until: number }>();

  /** One timer per host: one per attempt would be tens of thousands of timers under load. */
  function forget(hostname: string): void {
    const leftMs = (checked.get(hostname)?.until ?? 0) - performance.now();
    if (leftMs > 0) setTimeout(forget, leftMs, hostname).unref();
    else checked.delete(hostname);
  }

  function addressesOf(hostname: string): readonly LookupAddress[] {
    const literal = withoutBrackets(hostname);
    const family = isIP(literal);
    if (family === 0) return checked.get(hostname)?.addresses ?? [];
    return isReachable(literal, allowed) ? [{ address: literal, family }] : [];
  }

  return {
    addressesOf,

    async check(hostname) {
      const literal = withoutBrackets(hostname);
      if (isIP(literal)) return isReachable(literal, allowed) ? null : "address"; // connections do not look up literals

      const addresses = await resolveName(hostname).catch(() => []);
      if (addresses.length === 0) return "dns";
      if (!addresses.every(({ address }) => isReachable(address, allowed))) return "address";

      const isNew = !checked.has(hostname);
      checked.set(hostname, { addresses, until: performance.now() + keepMs });
      if (isNew) forget(hostname);
      return null;
    },

    lookup(hostname, _options, callback) {
      const addresses = [...addressesOf(hostname)];
      // Asynchronous, because the socket's owner does not listen for errors yet.
      setImmediate(() => {
        if (addresses.length > 0) callback(null, addresses);
        else callback(new Error("The addresses of this host were not checked before the connection"), []);
      });
    },
  };
}
