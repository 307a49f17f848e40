/*
 * Which addresses a delivery may reach. A webhook URL is chosen by a tenant and called from inside our network, so
 * without this table it could be pointed at the database, a neighbour or the machine's cloud credentials.
 * (Specification, part 4, "URL rules".)
 */
import { type Address, contains, embeddedIPv4, parseAddress, parseRange, type Range } from "./cidr.ts";

/** Ranges that the operator opens although the table refuses them. Read by `parseRanges`. */
export type AllowedRanges = readonly Range[];

/** What is to be done with an address of a class; `embeds` is the bit at which an IPv4 address begins that decides. */
type Verdict = "reachable" | "refused" | { embeds: number };

/**
 * Every address falls in the first row that holds it. For IPv4 the special ranges are listed and the rest is
 * reachable; for IPv6 it is the other way round, since all that is in public use lies in 2000::/3.
 */
export const addressClasses: readonly (readonly [range: string, verdict: Verdict, what: string])[] = [
  ["0.0.0.0/8", "refused", "this network; on Linux a way to spell loopback"],
  ["10.0.0.0/8", "refused", "private"],
  ["100.64.0.0/10", "refused", "shared by carrier-grade NAT; one cloud's metadata service"],
  ["127.0.0.0/8", "refused", "loopback"],
  ["168.63.129.16/32", "refused", "one cloud's metadata service, in the middle of public space"],
  ["169.254.0.0/16", "refused", "link-local, with most clouds' metadata services"],
  ["172.16.0.0/12", "refused", "private"],
  ["192.0.0.0/24", "refused", "protocol assignments, with one cloud's metadata service"],
  ["192.0.2.0/24", "refused", "documentation"],
  ["192.31.196.0/24", "refused", "AS112, sinks for stray reverse look-ups"],
  ["192.52.193.0/24", "refused", "multicast tunnel relays"],
  ["192.88.99.0/24", "refused", "6to4 relays, given up"],
  ["192.168.0.0/16", "refused", "private"],
  ["192.175.48.0/24", "refused", "AS112"],
  ["198.18.0.0/15", "refused", "benchmarks of network devices"],
  ["198.51.100.0/24", "refused", "documentation"],
  ["203.0.113.0/24", "refused", "documentation"],
  ["224.0.0.0/4", "refused", "multicast"],
  ["240.0.0.0/4", "refused", "reserved, and broadcast at its end"],
  ["0.0.0.0/0", "reachable", "the rest of IPv4"],

  // ::1 and :: lie in the first row: they embed 0.0.0.1 and 0.0.0.0, which are refused as "this network".
  ["::/96", { embeds: 96 }, "IPv4-compatible"],
  ["::ffff:0:0/96", { embeds: 96 }, "IPv4-mapped"],
  ["64:ff9b::/96", { embeds: 96 }, "NAT64"],
  ["64:ff9b:1::/48", "refused", "NAT64 within one network; where the IPv4 address begins is that network's choice"],
  ["2001::/23", "refused", "protocol assignments, with Teredo at 2001::/32, benchmarks and ORCHIDs"],
  ["2001:db8::/32", "refused", "documentation"],
  ["2002::/16", { embeds: 16 }, "6to4"],
  ["2620:4f:8000::/48", "refused", "AS112"],
  ["3fff::/20", "refused", "documentation"],
  ["2000::/3", "reachable", "global unicast"],
  ["::/0", "refused", "unique local, link-local, site-local, multicast, segment routing, and all that is unassigned"],
];

const rows = addressClasses.map(([range, verdict]) => ({ range: rangeOrThrow(range), verdict }));

/**
 * Reads the operator's list of ranges in CIDR notation, separated by commas. An empty text is an empty list.
 *
 * @throws {Error} with a sentence that names the first entry that is not a range.
 */
export function parseRanges(text: string): AllowedRanges {
  if (text.trim() === "") return [];
  return text.split(",").map((entry) => rangeOrThrow(entry.trim()));
}

/**
 * Whether a delivery may connect to `address`, an IPv4 or IPv6 address in text. An IPv6 address that carries an IPv4
 * one is judged by what it carries. False for a text that is no address.
 */
export function isReachable(address: string, allowed: AllowedRanges): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && mayConnect(parsed, allowed);
}

/**
 * Whether a webhook must not be created with this URL because its host is `localhost`, or an address that deliveries
 * may not reach, in any spelling that `URL` understands: `0x7f.1`, `2130706433`, `[::ffff:127.0.0.1]`. Other names
 * pass: what they resolve to is checked at every delivery. A text that is not a URL passes too, being refused as such
 * elsewhere.
 */
export function refusesUrl(url: string, allowed: AllowedRanges): boolean {
  const hostname = URL.parse(url)?.hostname.replace(/\.$/, "").toLowerCase();
  if (hostname === undefined) return false;
  if (hostname === "localhost" || hostname.endsWith(".localhost")) {
    return !isReachable("127.0.0.1", allowed) && !isReachable("::1", allowed);
  }
  const literal = parseAddress(withoutBrackets(hostname));
  return literal !== null && !mayConnect(literal, allowed);
}

/** A URL's `hostname` as the resolver and the table want it: an IPv6 literal without its brackets. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function mayConnect(address: Address, allowed: AllowedRanges): boolean {
  if (allowed.some((range) => contains(range, address))) return true;
  const verdict = rows.find(({ range }) => contains(range, address))?.verdict ?? "refused";
  if (typeof verdict === "string") return verdict === "reachable";
  return mayConnect(embeddedIPv4(address, verdict.embeds), allowed);
}

function rangeOrThrow(text: string): Range {
  const range = parseRange(text);
  if (range) return range;
  throw new Error(`"${text}" is not a range of addresses such as 10.0.0.0/8 or fd00::/8, with no bit set beyond it.`);
}
