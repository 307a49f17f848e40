/**
 * Reads and parses a request's body: a JSON object with limits on bytes, depth and number of values. The last of duplicate
 * members wins. It is read only after the credential was accepted. (docs/specification/conventions.md#bodies)
 */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import canonicalize from "canonicalize";
import type { Request, Response } from "express";
import { maxBodyBytes } from "../contract/operation.ts";
import type { Problem } from "../contract/refusals.ts";
import type { Backlog } from "../web/backlog.ts";
import { declaredLength } from "./head.ts";
import { flawOfJson } from "./json-bounds.ts";

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** The allowed content encodings. Newer versions of Node support more; the contract must not depend on that. */
const unpacking: Record<string, Unpack | undefined> = Object.assign(Object.create(null), {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
});

export type Body = ({ value: Record<string, unknown> } | { problem: Problem }) & {
  /** The body as the request's fingerprint covers it. Computed on demand, because most requests need none. */
  canonical(): string | Buffer;
};

/** Removes a byte order mark, and throws for invalid UTF-8. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A body whose value is known already. */
export function bodyOf(value: Record<string, unknown>): Body {
  return { value, canonical: () => canonicalOf(value) ?? "" };
}

/** A body that cannot be used. @param bytes what its fingerprint covers */
export function bodyWith(problem: Problem, bytes: string | Buffer = ""): Body {
  return { problem, canonical: () => bytes };
}

export const tooLarge: Problem = { code: "payload_too_large" };

export function invalid(path: string, message: string): Problem {
  return { code: "invalid_request", details: [{ path, message }] };
}

/** Answers `Expect: 100-continue`, once the body is going to be read. */
export function inviteBody(request: IncomingMessage, response: Response): void {
  if (request.headers.expect?.toLowerCase() === "100-continue" && !response.headersSent) response.writeContinue();
}

/**
 * Reads the bytes of a body. A body that is too large is refused at once, without waiting for the rest. Returns undefined if
 * the caller disconnected before the whole body arrived.
 *
 * @param arriving counts the bytes until the body has arrived
 * @param as "sent": a compressed body is refused; "unpacked": it is decompressed
 */
export async function readBytes(
  request: Request,
  response: Response,
  { arriving, as }: { arriving: Backlog; as: "unpacked" | "sent" },
): Promise<Buffer | Problem | undefined> {
  if (declaredLength(request) > maxBodyBytes) return tooLarge;
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  const unpack = unpacking[encoding];
  if (encoding !== "identity" && (as === "sent" || !unpack)) {
    const allowed = as === "sent" ? "" : "gzip, deflate or br, or ";
    return invalid("headers.content-encoding", `must be ${allowed}left out`);
  }
  if (request.destroyed) return undefined; // the connection was lost; no event would follow
  inviteBody(request, response);
  const bytes = await arrivedBytes(request, response, arriving);
  return Buffer.isBuffer(bytes) && bytes.length > 0 && unpack ? unpacked(bytes, unpack) : bytes;
}

/** Bytes that a body of unknown length counts at a time. */
const chunkedStep = 64 * 1024;

function arrivedBytes(request: Request, response: Response, arriving: Backlog): Promise<Buffer | Problem | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | Problem | undefined>();
  const parts: Buffer[] = [];
  let received = 0;
  let counted = 0;
  const releases: (() => void)[] = [];
  const count = (bytes: number) => {
    counted += bytes;
    releases.push(arriving.track(bytes, () => request.socket.destroy()));
  };
  count(declaredLength(request) || chunkedStep);
  const onData = (part: Buffer) => {
    received += part.length;
    if (received > maxBodyBytes) return resolve(tooLarge); // the rest is dropped as it arrives
    if (received > counted) count(chunkedStep);
    parts.push(part);
  };
  const onEnd = () => resolve(Buffer.concat(parts));
  // A request with a malformed body has been answered by now, and its end never comes.
  const onClose = () => resolve(undefined);
  request.on("data", onData).once("end", onEnd).once("error", onClose).once("close", onClose);
  response.once("close", onClose);
  return promise.finally(() => {
    response.off("close", onClose);
    parts.length = 0;
    for (const release of releases) release();
  });
}

async function unpacked(bytes: Buffer, unpack: Unpack): Promise<Buffer | Problem> {
  try {
    return await unpack(bytes, { maxOutputLength: maxBodyBytes });
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") return tooLarge;
    return invalid("body", "could not be read");
  }
}

/**
 * Reads and parses the body. An invalid body is returned as a problem, not thrown. Returns undefined if the caller
 * disconnected before the whole body arrived.
 */
export async function readBody(
  request: Request,
  response: Response,
  arriving: Backlog,
  maxValues: number,
): Promise<Body | undefined> {
  const bytes = await readBytes(request, response, { arriving, as: "unpacked" });
  if (!bytes) return undefined;
  if (!Buffer.isBuffer(bytes)) return bodyWith(bytes);
  if (bytes.length === 0) return { value: {}, canonical: () => "" };
  return parse(bytes, request.headers["content-type"], maxValues);
}

function parse(bytes: Buffer, type: string | undefined, maxValues: number): Body {
  if (type && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return bodyWith(invalid("headers.content-type", "must be application/json"), bytes);
  }
  const flaw = flawOfJson(bytes, maxValues);
  if (flaw) return bodyWith(invalid("body", flaw), bytes);
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    return bodyWith(invalid("body", "must be JSON in UTF-8"), bytes);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return bodyWith(invalid("body", "must be a JSON object"), bytes);
  }
  return { value: value as Record<string, unknown>, canonical: () => canonicalOf(value) ?? bytes };
}

/** RFC 8785, so that the order of members does not change the fingerprint. Undefined for text with lone surrogates. */
function canonicalOf(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}
