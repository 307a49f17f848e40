/**
 * Reads the body, of at most 1 MB, once the credential was accepted. A request with a problem is answered without its body.
 * (docs/specification/conventions.md#bodies)
 */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Request as HttpRequest, Response } from "express";
import { maxBodyBytes } from "../../contract/body-limits.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Problem } from "../../contract/refusals.ts";
import type { Backlog } from "../../web/backlog.ts";
import { declaredLength, mayHaveBody } from "../../web/head.ts";
import { type Body, type BodyRule, bodyWith, invalid, noBody, parseBody, tooLarge } from "../body.ts";
import type { Answer, Request } from "../request.ts";
import { refusal } from "./respond.ts";

/** Returns an answer if the caller disconnected. It never arrives, and nothing was stored under the Idempotency-Key. */
export async function read(request: Request): Promise<Answer | undefined> {
  request.problem ??= problemOfHead(request);
  if (request.problem) request.body = noBody;
  else if (request.readBody) {
    const began = performance.now();
    const body = await request.readBody();
    if (!body) return refusal("invalid_request", request.requestId);
    request.body = body;
    request.since += performance.now() - began;
  }
  return undefined;
}

/** 1 to 255 printable ASCII characters. */
const idempotencyKeyShape = /^[\x20-\x7e]{1,255}$/;

/** The problem that can be found before the body is read. */
function problemOfHead({ operation, idempotencyKey }: Request): Problem | undefined {
  if (!operation.needsIdempotencyKey || idempotencyKeyShape.test(idempotencyKey ?? "")) return undefined;
  return invalid("headers.idempotency-key", "is required: 1 to 255 printable ASCII characters");
}

/** Each operation of a batch counts as one request. An invalid batch counts as one. */
export function costOf({ operation, body, again }: Request): number {
  if (again) return 0;
  if (!operation.isBatch || "problem" in body || !Array.isArray(body.value.operations)) return 1;
  return Math.min(Math.max(body.value.operations.length, 1), 50);
}

/** The body of an HTTP request. If the operation takes none, only the declared length is checked. */
export function bodyOfHttp(
  operation: Operation,
  http: HttpRequest,
  response: Response,
  arriving: Backlog,
): Pick<Request, "readBody"> & Partial<Pick<Request, "body">> {
  if (!mayHaveBody(http)) return {};
  if (operation.body || operation.method === "post") {
    return { readBody: once(() => readBody(http, response, arriving, operation)) };
  }
  return declaredLength(http) > maxBodyBytes ? { body: bodyWith(tooLarge) } : {};
}

/** A body arrives once, but several cells may be asked. (cells/routed.ts) */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read());
}

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** The allowed content encodings. Newer versions of Node support more; the contract must not depend on that. */
const unpacking: Record<string, Unpack | undefined> = Object.assign(Object.create(null), {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
});

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
  request: HttpRequest,
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

function arrivedBytes(
  request: HttpRequest,
  response: Response,
  arriving: Backlog,
): Promise<Buffer | Problem | undefined> {
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
  request: HttpRequest,
  response: Response,
  arriving: Backlog,
  operation: BodyRule,
): Promise<Body | undefined> {
  const bytes = await readBytes(request, response, { arriving, as: "unpacked" });
  if (!bytes) return undefined;
  if (!Buffer.isBuffer(bytes)) return bodyWith(bytes);
  if (bytes.length === 0) return { value: {}, canonical: () => "" };
  return parseBody(bytes, request.headers["content-type"], operation);
}
