/*
 * The addresses that a delivery may reach. Tenants choose webhook URLs, and the worker calls them from inside our network.
 * Without this table a URL could target the database, another host or the cloud's metadata service.
 * (docs/specification/webhooks.md#url-rules)
 */
import { type Address, contains, embeddedIPv4, parseAddress, parseRange, type Range } from "./cidr.ts";

/** Ranges that the operator allows although the table refuses them. Parsed by `parseRanges`. */
export type AllowedRanges = readonly Range[];

/** `embeds`: the embedded IPv4 address decides, which begins at this bit. */
type Verdict = "reachable" | "refused" | { embeds: number };

/**
 * The first matching row decides. For IPv4 the refused ranges are listed and the rest is reachable. For IPv6 only 2000::/3
 * is reachable, because all public addresses lie in it.
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
  ["192.88.99.0/24", "refused", "6to4 relays, deprecated"],
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
  ["64:ff9b:1::/48", "refused", "NAT64 within one network; the network chooses where the IPv4 address begins"],
  ["2001::/23", "refused", "protocol assignments, with Teredo at 2001::/32, benchmarks and ORCHIDs"],
  ["2001:db8::/32", "refused", "documentation"],
  ["2002::/16", { embeds: 16 }, "6to4"],
  ["2620:4f:8000::/48", "refused", "AS112"],
  ["3fff::/20", "refused", "documentation"],
  ["2000::/3", "reachable", "global unicast"],
  ["::/0", "refused", "unique local, link-local, site-local, multicast, segment routing, unassigned"],
];

const rows = addressClasses.map(([range, verdict]) => ({ range: rangeOrThrow(range), verdict }));

/**
 * Parses the operator's comma-separated ranges in CIDR notation. An empty text is an empty list.
 *
 * @throws {Error} that names the first entry that is not a range
 */
export function parseRanges(text: string): AllowedRanges {
  if (text.trim() === "") return [];
  return text.split(",").map((entry, index) => rangeOrThrow(entry.trim(), index + 1));
}

/** A range in CIDR notation, as PostgreSQL reads it. */
export function rangeText([network, prefix]: Range): string {
  return `${network}/${prefix}`;
}

/**
 * Whether a delivery may connect to `address`. For an IPv6 address that embeds an IPv4 address, the latter decides. False if
 * the text is not an address.
 */
export function isReachable(address: string, allowed: AllowedRanges): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && mayConnect(parsed, allowed);
}

/** Whether a URL's `hostname` is an address. `URL` has normalised other spellings of addresses, such as `0x7f.1`. */
export function isAddress(hostname: string): boolean {
  return parseAddress(withoutBrackets(hostname)) !== null;
}

/** A URL's `hostname`, an IPv6 literal without its brackets. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function mayConnect(address: Address, allowed: AllowedRanges): boolean {
  if (allowed.some((range) => contains(range, address))) return true;
  const verdict = rows.find(({ range }) => contains(range, address))?.verdict ?? "refused";
  if (typeof verdict === "string") return verdict === "reachable";
  return mayConnect(embeddedIPv4(address, verdict.embeds), allowed);
}

function rangeOrThrow(text: string, number = 1): Range {
  const range = parseRange(text);
  if (range) return range;
  throw new Error(
    `entry ${number} is not a range of addresses such as 10.0.0.0/8 or fd00::/8, with no bit set beyond it.`,
  );
}
