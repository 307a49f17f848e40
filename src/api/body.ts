/**
 * The body of a request: a JSON object with limits on depth and number of values. The last of duplicate members wins.
 * (docs/specification/conventions.md#bodies)
 */
import canonicalize from "canonicalize";
import type { Operation } from "../contract/operation.ts";
import { type Detail, maxDetails, type Problem } from "../contract/refusals.ts";

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

export const noBody = bodyOf({});

/** What bodies an operation accepts. */
export type BodyRule = Pick<Operation, "maxBodyValues" | "bodyLines">;

/** Parses a JSON object, or JSON lines. An invalid body is returned as a problem, not thrown. */
export function parseBody(bytes: Buffer, type: string | undefined, { maxBodyValues, bodyLines }: BodyRule): Body {
  const isLines = bodyLines !== undefined && /^application\/x-ndjson\s*(?:;|$)/i.test(type ?? "");
  if (type && !isLines && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return bodyWith(invalid("headers.content-type", "must be application/json"), bytes);
  }
  const flaw = flawOfJson(bytes, maxBodyValues, isLines);
  if (flaw) return bodyWith(invalid("body", flaw), bytes);
  if (isLines) return parseLines(bytes, bodyLines);
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

/** The same body as a JSON object with the lines as a list. So the same lines have one fingerprint in both forms. */
function parseLines(bytes: Buffer, name: string): Body {
  let lines: string[];
  try {
    lines = utf8
      .decode(bytes)
      .replace(/\r?\n$/, "")
      .split("\n");
  } catch {
    return bodyWith(invalid("body", "must be JSON lines in UTF-8"), bytes);
  }
  const list: unknown[] = [];
  const details: Detail[] = [];
  for (const [index, line] of lines.entries()) {
    const value = parsedLine(line);
    if (value === undefined)
      details.push({ path: `body.${name}.${index}`, message: "must be a JSON object on one line" });
    else list.push(value);
    if (details.length === maxDetails) break; // each costs a thrown error
  }
  if (details.length > 0) return bodyWith({ code: "invalid_request", details }, bytes);
  const value = { [name]: list };
  return { value, canonical: () => canonicalOf(value) ?? bytes };
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** RFC 8785, so that the order of members does not change the fingerprint. Undefined for text with lone surrogates. */
function canonicalOf(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}

/** Resources nest at most three deep. */
const maxDepth = 32;

const [quote, backslash, comma, newline] = [0x22, 0x5c, 0x2c, 0x0a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns the limit that the text exceeds, before it is parsed. The cost of parsing grows with the number of values: 1 MB of
 * empty objects takes 0.3 s, 1 MB of text 10 ms. This pass costs less than decoding UTF-8. It does not check that the text is JSON.
 */
function flawOfJson(bytes: Uint8Array, maxValues: number, isLines: boolean): string | undefined {
  let depth = 0;
  let containers = 0;
  let commas = 0; // or ends of lines
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === openArray || byte === openObject) {
      depth += 1;
      if (depth > maxDepth) return `must not nest deeper than ${maxDepth}`;
      containers += isClosed(bytes, at) ? 0 : 1; // its first value has no comma before it
    } else if (byte === closeArray || byte === closeObject) depth -= 1;
    else if (byte === comma || (isLines && byte === newline)) commas += 1;
    if (1 + containers + commas > maxValues) return `must not hold more than ${maxValues} values`;
  }
  return undefined;
}

/** Whether the array or object that begins here is empty. An empty array with spaces counts as a value. */
function isClosed(bytes: Uint8Array, start: number): boolean {
  const next = bytes[start + 1];
  return next === closeArray || next === closeObject;
}

/** The position of the quote that ends this string. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}
