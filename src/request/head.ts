/**
 * Checks request heads that Node's parser accepts although they are ambiguous. A proxy and this process could read them as
 * different requests (request smuggling). (RFC 9112; RFC 9110, 5.3 and 7.2)
 */
import type { IncomingMessage } from "node:http";
import type { Detail } from "../contract/refusals.ts";

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
