/**
 * The body of a request: read whole, at most 1 MB, as a JSON object; of a member given twice the last counts. (Part 4,
 * "Common conventions".)
 */
import type { IncomingMessage } from "node:http";
import canonicalize from "canonicalize";
import express, { type Request, type Response } from "express";
import type { Detail, Problem } from "../contract/refusals.ts";
import type { Backlog } from "./backlog.ts";

export const mostBytes = 1024 * 1024;
/** What a body may be compressed by. The reader knows more where Node does, and the contract is to be the same everywhere. */
const encodings = new Set(["identity", "gzip", "deflate", "br"]);
/** No resource nests deeper than three; this leaves room and keeps recursion shallow. */
const deepest = 32;

export type Body = { value: Record<string, unknown>; canonical: string } | { problem: Problem; canonical: string };

/** Takes a mark of the byte order off, and throws for what is no UTF-8. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

const unpacked = express.raw({ type: () => true, limit: mostBytes });
const asSentAlone = express.raw({ type: () => true, limit: mostBytes, inflate: false });

/** Why there are no bytes: `gone` is whoever sent them, before all had come. */
export type Unread = "too large" | "encoding" | "unreadable" | "gone";

export function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || declaredLength({ headers }) > 0;
}

/** Bytes that the body is said to have; of one in chunks nothing is said. */
export function declaredLength({ headers }: Pick<IncomingMessage, "headers">): number {
  return Number(headers["content-length"] ?? 0);
}

/**
 * The bytes of a body. One that is too large is known as soon as it says so or more has come: the rest is not waited for.
 *
 * @param arriving where it counts until it has come
 * @param as "sent": what somebody has packed is not unpacked, and refused
 */
export async function readBytes(
  request: Request,
  response: Response,
  arriving: Backlog,
  as: "unpacked" | "sent",
): Promise<Buffer | Unread> {
  const { "content-length": length, "content-encoding": encoding = "identity" } = request.headers;
  if (declaredLength(request) > mostBytes) return "too large";
  const isPacked = encoding.toLowerCase() !== "identity";
  if (isPacked && (as === "sent" || !encodings.has(encoding.toLowerCase()))) return "encoding";
  const { promise, resolve } = Promise.withResolvers<Buffer | Unread>();
  const most = length === undefined || isPacked ? mostBytes : declaredLength(request);
  const arrived = arriving.hold(most, () => request.socket.destroy());
  // Whose body turned out to be garbage has been answered: the reader would wait for the rest.
  const over = () => resolve("gone");
  response.once("close", over);
  const read = as === "sent" ? asSentAlone : unpacked;
  read(request, response, (error?: unknown) => {
    const failure = error as { status?: number; type?: string } | undefined;
    if (failure?.type === "request.aborted") resolve("gone");
    else if (failure?.status === 413) resolve("too large");
    else if (failure) resolve("unreadable");
    else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
  });
  if (length === undefined) {
    let came = 0;
    request.on("data", (part: Buffer) => {
      came += part.length;
      if (came > mostBytes) resolve("too large");
    });
  }
  return promise.finally(() => {
    response.off("close", over);
    arrived();
  });
}

/**
 * Reads the body; the answer says what is wrong with it, and nothing is thrown for what a caller may send. Undefined when
 * whoever sent it was gone before all of it had come.
 */
export async function readBody(request: Request, response: Response, arriving: Backlog): Promise<Body | undefined> {
  const bytes = await readBytes(request, response, arriving, "unpacked");
  if (bytes === "gone") return undefined;
  if (bytes === "too large") return { problem: { code: "payload_too_large" }, canonical: "" };
  if (bytes === "encoding") return invalid("headers.content-encoding", "must be gzip, deflate or br, or left out");
  if (bytes === "unreadable") return invalid("body", "could not be read");
  return bytes.length === 0 ? { value: {}, canonical: "" } : parse(bytes, request.headers["content-type"]);
}

function parse(bytes: Buffer, type: string | undefined): Body {
  const asSent = () => bytes.toString("latin1");
  if (type && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return invalid("headers.content-type", "must be application/json", asSent());
  }
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    return invalid("body", "must be JSON in UTF-8", asSent());
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid("body", "must be a JSON object", asSent());
  }
  if (isDeeperThan(value, deepest)) return invalid("body", `must not nest deeper than ${deepest}`, asSent());
  return { value: value as Record<string, unknown>, canonical: canonicalOf(value) ?? asSent() };
}

/** RFC 8785, so that the order of members does not make a request another one. Lone surrogates have no such form. */
function canonicalOf(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}

/** Walks level by level: recursion is what deep nesting would break. */
function isDeeperThan(value: object, most: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= most) return true;
    level = level.flatMap((each) => Object.values(each).filter((inner) => typeof inner === "object" && inner !== null));
  }
  return false;
}

function invalid(path: string, message: string, canonical = ""): Body {
  const details: Detail[] = [{ path, message }];
  return { problem: { code: "invalid_request", details }, canonical };
}
