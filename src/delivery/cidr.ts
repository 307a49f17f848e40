/** Addresses and ranges in CIDR notation. ipaddr.js alone also takes spellings such as 010.0.0.1 and 127.1. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A block of addresses. No bit of the address is set beyond the prefix. */
export type Range = [network: Address, prefix: number];

/** Parses an IPv4 or IPv6 address; drops a zone such as `%eth0`. Null for any other text. */
export function parseAddress(text: string): Address | null {
  return isIP(text) ? ipaddr.parse(text.replace(/%.*/, "")) : null;
}

/** Parses `address/prefix`. Null if it is malformed, or if the address has bits set beyond the prefix. */
export function parseRange(text: string): Range | null {
  const [, network = ""] = /^([^/%]+)\/(?:0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = parseAddress(network);
  if (!address || !ipaddr.isValidCIDR(text)) return null;
  const family = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return family.networkAddressFromCIDR(text).toString() === address.toString() ? ipaddr.parseCIDR(text) : null;
}

/** Whether `range` contains `address`. An IPv4 range contains no IPv6 address, not even an IPv4-mapped one. */
export function contains([network, prefix]: Range, address: Address): boolean {
  return address.kind() === network.kind() && address.match(network, prefix);
}

/** The IPv4 address in the 32 bits of `address` from bit `offset` on, counted from the left. */
export function embeddedIPv4(address: Address, offset: number): Address {
  return ipaddr.fromByteArray(address.toByteArray().slice(offset / 8, offset / 8 + 4));
}
