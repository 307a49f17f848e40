/**
 * The body of a request: read whole, at most 1 MB, as a JSON object; of a member given twice the last counts. (Part 4,
 * "Common conventions".)
 */
import canonicalize from "canonicalize";
import express, { type Request, type Response } from "express";
import type { Detail, Problem } from "../contract/refusals.ts";

const mostBytes = 1024 * 1024;
/** No resource nests deeper than three; this leaves room and keeps recursion shallow. */
const deepest = 32;

export type Body = { value: Record<string, unknown>; canonical: string } | { problem: Problem; canonical: string };

/** Takes a mark of the byte order off, and throws for what is no UTF-8. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

const readRaw = express.raw({ type: () => true, limit: mostBytes });

/** Reads the body; the answer says what is wrong with it, and nothing is thrown for what a caller may send. */
export async function readBody(request: Request, response: Response): Promise<Body> {
  const failure = await new Promise<(Error & { status?: number; type?: string }) | undefined>((resolve) => {
    readRaw(request, response, (error?: unknown) => resolve(error as Error | undefined));
  });
  if (failure?.status === 413) return { problem: { code: "payload_too_large" }, canonical: "" };
  if (failure?.status === 415) return invalid("headers.content-encoding", "must be gzip, deflate or br, or left out");
  if (failure) return invalid("body", "could not be read");
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return { value: {}, canonical: "" };
  return parse(bytes, request.headers["content-type"]);
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
