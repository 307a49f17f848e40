/**
 * Reads the head of a request: its target, the length of its body, and the caller's address. Heads that Node's parser accepts although
 * they are ambiguous are refused: a proxy and this process could read them as different requests (request smuggling).
 * (RFC 9112; RFC 9110, 5.3 and 7.2)
 */
import type { IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import type { Detail } from "../contract/refusals.ts";
import { parseAddress } from "../delivery/cidr.ts";

/** Node uses the first of duplicates or joins them; a proxy may use the last. */
const givenOnce = new Set(["host", "authorization", "content-type", "idempotency-key"]);
const lengths = new Set([...givenOnce].map(({ length }) => length));
/** A name or address with an optional port; or nothing. */
const hostShape = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

export function flawOfHead(request: IncomingMessage): Detail | undefined {
  const { httpVersion, url = "", headers } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return flaw("request", "must be HTTP/1.1");
  if (!/^(?:\/|https?:\/\/[^/?#]|\*$)/i.test(url) || url.includes("#")) return flaw("request", "must name a path");
  const { host, "transfer-encoding": coding } = headers;
  if (host === undefined && httpVersion === "1.1") return flaw("headers.host", "is required");
  if (host !== undefined && !hostShape.test(host)) return flaw("headers.host", "must be a host");
  const twice = givenTwice(request);
  if (twice) return flaw(`headers.${twice}`, "must appear once");
  if (coding !== undefined && (httpVersion === "1.0" || coding.toLowerCase() !== "chunked")) {
    return flaw("headers.transfer-encoding", "must be chunked, or left out");
  }
  return undefined;
}

/** The path and query of a target, without scheme and host of the absolute form. */
export function pathOf(target: string): string {
  if (target.startsWith("/") || target === "*") return target;
  const path = target.replace(/^https?:\/\/[^/?]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** Splits a target below /api/v1 at the first "?". */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path, query: new URLSearchParams(target.slice(path.length)) };
}

export function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || declaredLength({ headers }) > 0;
}

/** The Content-Length in bytes; 0 for a chunked body. */
export function declaredLength({ headers }: Pick<IncomingMessage, "headers">): number {
  return Number(headers["content-length"] ?? 0);
}

function givenTwice({ rawHeaders }: IncomingMessage): string | undefined {
  const seen: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (!lengths.has(name.length) || !givenOnce.has(name.toLowerCase())) continue;
    if (seen.includes(name.toLowerCase())) return name.toLowerCase();
    seen.push(name.toLowerCase());
  }
  return undefined;
}

function flaw(path: string, message: string): Detail {
  return { path, message };
}

export type CallerAddress = (request: IncomingMessage) => string | undefined;

/**
 * Reads the caller's address, for keys that allow some addresses and for the rate limit of unauthenticated requests. Callers can
 * forge X-Forwarded-For, so it is read from the right, past the proxies in TRUSTED_PROXIES. The first other address is the
 * caller's. (docs/specification/conventions.md#rate-limits)
 *
 * Returns IPv4 also where the socket has an IPv4-mapped one. Undefined if a trusted proxy names none: a key that is
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
