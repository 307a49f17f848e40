/**
 * Reads and parses a request's body: a JSON object with limits on bytes, depth and number of values. The last of duplicate
 * members wins. It is read only after the credential was accepted. (docs/specification/conventions.md#bodies)
 */
import type { IncomingMessage } from "node:http";
import canonicalize from "canonicalize";
import express, { type Request, type Response } from "express";
import type { BodyLimits } from "../contract/operation.ts";
import type { Problem } from "../contract/refusals.ts";
import type { Backlog } from "../web/backlog.ts";
import { flawOfJson } from "./json-bounds.ts";

/** The allowed content encodings. Newer versions of Node support more; the contract must not depend on that. */
const encodings = new Set(["identity", "gzip", "deflate", "br"]);

export type Body = ({ value: Record<string, unknown> } | { problem: Problem }) & {
  /** The body as the request's fingerprint covers it. Computed on demand, because most requests need none. */
  canonical(): string | Buffer;
};

/** Removes a byte order mark, and throws for invalid UTF-8. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

export function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || declaredLength({ headers }) > 0;
}

/** The Content-Length in bytes; 0 for a chunked body. */
export function declaredLength({ headers }: Pick<IncomingMessage, "headers">): number {
  return Number(headers["content-length"] ?? 0);
}

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

/** Whether the connection was lost before the whole request had arrived. */
const isCutOff = ({ destroyed, complete }: IncomingMessage) => destroyed && !complete;

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
  { arriving, as, maxBytes }: { arriving: Backlog; as: "unpacked" | "sent"; maxBytes: number },
): Promise<Buffer | Problem | undefined> {
  const { "content-length": length, "content-encoding": encoding = "identity" } = request.headers;
  if (declaredLength(request) > maxBytes) return tooLarge;
  const isCompressed = encoding.toLowerCase() !== "identity";
  if (isCompressed && (as === "sent" || !encodings.has(encoding.toLowerCase()))) {
    const allowed = as === "sent" ? "" : "gzip, deflate or br, or ";
    return invalid("headers.content-encoding", `must be ${allowed}left out`);
  }
  if (isCutOff(request)) return undefined;
  inviteBody(request, response);
  const { promise, resolve } = Promise.withResolvers<Buffer | Problem | undefined>();
  const maxArriving = length === undefined || isCompressed ? maxBytes : declaredLength(request);
  const arrived = arriving.track(maxArriving, () => request.socket.destroy());
  // A request with a malformed body has been answered by now: express.raw would wait for the rest forever.
  const onClose = () => resolve(undefined);
  response.once("close", onClose);
  express.raw({ type: () => true, limit: maxBytes, inflate: as === "unpacked" })(
    request,
    response,
    (error?: unknown) => {
      const failure = error as { status?: number; type?: string } | undefined;
      if (failure?.type === "request.aborted" || isCutOff(request)) resolve(undefined);
      else if (failure?.status === 413) resolve(tooLarge);
      else if (failure) resolve(invalid("body", "could not be read"));
      else if (Buffer.isBuffer(request.body)) resolve(request.body);
      // express.raw skips the body of a connection whose caller has ended it. Then the body is not empty.
      else resolve(mayHaveBody(request) ? undefined : Buffer.alloc(0));
    },
  );
  if (length === undefined) {
    let received = 0;
    request.on("data", (part: Buffer) => {
      received += part.length;
      if (received > maxBytes) resolve(tooLarge);
    });
  }
  return promise.finally(() => {
    response.off("close", onClose);
    arrived();
  });
}

/**
 * Reads and parses the body. An invalid body is returned as a problem, not thrown. Returns undefined if the caller
 * disconnected before the whole body arrived.
 */
export async function readBody(
  request: Request,
  response: Response,
  arriving: Backlog,
  limits: BodyLimits,
): Promise<Body | undefined> {
  const bytes = await readBytes(request, response, { arriving, as: "unpacked", maxBytes: limits.bytes });
  if (!bytes) return undefined;
  if (!Buffer.isBuffer(bytes)) return bodyWith(bytes);
  if (bytes.length === 0) return { value: {}, canonical: () => "" };
  return parse(bytes, request.headers["content-type"], limits);
}

function parse(bytes: Buffer, type: string | undefined, limits: BodyLimits): Body {
  if (type && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return bodyWith(invalid("headers.content-type", "must be application/json"), bytes);
  }
  const flaw = flawOfJson(bytes, limits.values);
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
