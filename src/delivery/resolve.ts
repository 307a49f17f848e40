import type { LookupAddress } from "node:dns";
import { lookup as dnsLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { type AllowedRanges, isReachable, withoutBrackets } from "./address.ts";

/** Finds and checks a host's addresses before a connection, and hands just those to the connection. */
export type CheckedResolver = {
  /**
   * Resolves a URL's host afresh. Null when every address that it has may be reached, else the word for the failed
   * attempt: `address` when a single one may not, `dns` when the name has none.
   */
  check(hostname: string): Promise<"address" | "dns" | null>;

  /** For `net.connect`: answers what `check` last found, and asks nobody. */
  lookup: LookupFunction;
};

/** Asks for all addresses of a name; `lookup` of `node:dns/promises` is one. Rejects when there are none. */
export type Ask = (hostname: string, options: { all: true; order: "verbatim" }) => Promise<LookupAddress[]>;

/**
 * The look-up at the check and the look-up at the connection must be one and the same: a name may answer a public
 * address to the first and a private one to the second. So `check` keeps its answer for the connection to take, for
 * `keepMs`, which is as long as an attempt lasts.
 *
 * The system's resolver is asked, not a DNS server of our choice: the operator's hosts file and search list hold.
 */
export function createResolver(allowed: AllowedRanges, keepMs: number, ask: Ask = dnsLookup): CheckedResolver {
  const checked = new Map<string, LookupAddress[]>();

  return {
    async check(hostname) {
      const literal = withoutBrackets(hostname);
      if (isIP(literal)) return isReachable(literal, allowed) ? null : "address"; // the connection looks up no literals

      const addresses = await ask(hostname, { all: true, order: "verbatim" }).catch(() => []);
      if (addresses.length === 0) return "dns";
      if (!addresses.every(({ address }) => isReachable(address, allowed))) return "address";

      checked.set(hostname, addresses);
      const forget = () => checked.get(hostname) === addresses && checked.delete(hostname);
      setTimeout(forget, keepMs).unref();
      return null;
    },

    lookup(hostname, _options, callback) {
      const addresses = checked.get(hostname);
      // Never at once: the socket's owner has yet to listen for its errors.
      setImmediate(() => {
        if (addresses) callback(null, addresses);
        else callback(new Error("A connection was begun to a host that nobody had checked"), []);
      });
    },
  };
}
