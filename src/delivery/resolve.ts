import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { type AllowedRanges, isReachable, withoutBrackets } from "./address.ts";
import type { Ask } from "./dns.ts";

/** Finds and checks a host's addresses before a connection, and hands just those to the connection. */
export type CheckedResolver = {
  /**
   * Resolves a URL's host afresh. Null when every address that it has may be reached, else the word for the failed
   * attempt: `address` when a single one may not, `dns` when the name has none.
   */
  check(hostname: string): Promise<"address" | "dns" | null>;

  /** What `check` last found for a host; it asks nobody. None for a host that was not checked. */
  addressesOf(hostname: string): readonly LookupAddress[];

  /** The same for `net.connect`, which does not ask for literals. */
  lookup: LookupFunction;
};

/**
 * The look-up at the check and the look-up at the connection must be one and the same: a name may answer a public
 * address to the first and a private one to the second. So `check` keeps its answer for the connection to take, for
 * `keepMs`, which is as long as an attempt lasts.
 */
export function createResolver(allowed: AllowedRanges, keepMs: number, ask: Ask): CheckedResolver {
  const checked = new Map<string, { addresses: LookupAddress[]; until: number }>();

  /** One timer a host, however many attempts there are: at thousands a second, one for each would be tens of thousands. */
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
      if (isIP(literal)) return isReachable(literal, allowed) ? null : "address"; // the connection looks up no literals

      const addresses = await ask(hostname).catch(() => []);
      if (addresses.length === 0) return "dns";
      if (!addresses.every(({ address }) => isReachable(address, allowed))) return "address";

      const isNew = !checked.has(hostname);
      checked.set(hostname, { addresses, until: performance.now() + keepMs });
      if (isNew) forget(hostname);
      return null;
    },

    lookup(hostname, _options, callback) {
      const addresses = [...addressesOf(hostname)];
      // Never at once: the socket's owner has yet to listen for its errors.
      setImmediate(() => {
        if (addresses.length > 0) callback(null, addresses);
        else callback(new Error("A connection was begun to a host that nobody had checked"), []);
      });
    },
  };
}
