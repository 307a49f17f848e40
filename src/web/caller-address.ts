/**
 * The caller's address, for keys that allow some addresses and for the rate limit of unauthenticated requests. Callers can
 * forge X-Forwarded-For, so it is read from the right, past the proxies in TRUSTED_PROXIES; the first other address is the
 * caller's.
 * (docs/specification/conventions.md#rate-limits)
 */
import type { IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { parseAddress } from "../delivery/cidr.ts";

export type CallerAddress = (request: IncomingMessage) => string | undefined;

/**
 * Reads the caller's address: IPv4 also where the socket has an IPv4-mapped one. Undefined if a trusted proxy names none: a key that is
 * limited to the proxy's own network must not be accepted then.
 */
export function callerAddress(trusts: (address: string) => boolean): CallerAddress {
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress;
    if (!peer) return undefined;
    if (!trusts(peer)) return plain(peer);
    const hops = String(headers["x-forwarded-for"] ?? peer).split(",");
    const address = withoutPort(hops.findLast((hop) => !trusts(withoutPort(hop) ?? "")) ?? hops[0] ?? "");
    return address === undefined ? undefined : plain(address);
  };
}

/** Some proxies append a port, and write an IPv6 address in brackets. Returns undefined for text that is no address. */
function withoutPort(text: string): string | undefined {
  const hop = text.trim();
  const address = isIP(hop) ? hop : /^\[?(.*?)\]?(?::\d{1,5})?$/.exec(hop)?.[1];
  return address !== undefined && isIP(address) ? address : undefined;
}

function plain(text: string): string {
  if (isIPv4(text)) return text;
  const address = parseAddress(text);
  if (!(address instanceof ipaddr.IPv6)) return text;
  return (address.isIPv4MappedAddress() ? address.toIPv4Address() : address).toString();
}

/** For rate limits: an IPv4 address, or the /64 network of an IPv6 address. One caller usually controls the whole network. */
export function networkOf(text: string): string {
  const address = parseAddress(text);
  return address instanceof ipaddr.IPv6 ? `${address.parts.slice(0, 4).join(":")}/64` : text;
}
