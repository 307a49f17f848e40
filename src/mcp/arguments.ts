/** Turns the arguments of a tool into the parts of a request. (docs/mcp.md) */
import { z } from "zod";
import { isOfPairs } from "../contract/metadata.ts";
import type { Operation } from "../contract/operation.ts";
import type { Detail, Problem } from "../contract/refusals.ts";
import { didYouMean, nearest } from "./nearest.ts";
import type { Arguments } from "./tools.ts";

export type RequestParts = {
  params: Record<string, string>;
  path: string;
  query: URLSearchParams;
  body: Arguments;
  idempotencyKey?: string;
  ifMatch?: string;
  problem?: Problem;
};

/**
 * Divides the arguments of a tool into the parts of a request. Unknown ones are refused, although the API drops unknown fields:
 * an agent that misspells a filter would take all rows for the matching ones. Null counts as left out where the API takes no
 * null, because some models fill in every argument.
 */
export function requestOf(operation: Operation, given: Arguments): RequestParts {
  const inPath = new Set([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string));
  const inQuery = new Set(Object.keys(operation.query?.shape ?? {}));
  const inBody = new Set(Object.keys(operation.body?.shape ?? {}));
  const details: Detail[] = [];
  const params: Record<string, string> = {};
  const headers: Pick<RequestParts, "idempotencyKey" | "ifMatch"> = {};
  const query = new URLSearchParams();
  const body: Arguments = {};
  const note = (path: string, message: string) => details.push({ path, message });
  /** Text, or a number or boolean as text. */
  const text = (path: string, value: unknown, use: (text: string) => void) => {
    if (value === null || value === undefined) return;
    if (typeof value === "object") note(path, "must be text, not an object or a list");
    else use(String(value));
  };
  for (const [name, value] of Object.entries(given)) {
    if (inPath.has(name)) text(`path.${name}`, value, (each) => (params[name] = each));
    else if (inBody.has(name)) body[name] = value;
    else if (isOfPairs(operation.query?.shape[name]) && typeof value === "object")
      for (const [key, pair] of Object.entries(value ?? {}))
        text(`query.${name}`, pair, (each) => query.set(`${name}[${key}]`, each));
    else if (inQuery.has(name)) text(`query.${name}`, value, (each) => query.set(name, each));
    else if (name === "idempotencyKey" && operation.needsIdempotencyKey)
      text("headers.idempotency-key", value, (each) => (headers.idempotencyKey = each));
    else if (name === "ifMatch" && operation.acceptsIfMatch)
      text("headers.if-match", value, (each) => (headers.ifMatch = each));
    else {
      const known = [...inPath, ...inBody, ...inQuery];
      const path = `${operation.body ? "body" : "query"}.${name}`;
      note(path, `is not an argument of this operation.${didYouMean(nearest(name, known))}`);
    }
  }
  for (const name of inPath) {
    if (!params[name] && !details.some(({ path }) => path === `path.${name}`)) note(`path.${name}`, "is required");
  }
  return {
    ...{ ...headers, params, query },
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ""),
    body: operation.body ? (withoutNulls(operation.body, body) as Arguments) : body,
    ...(details.length > 0 ? { problem: { code: "invalid_request", details } } : {}),
  };
}

/** Drops the members of objects that are null, where the schema takes no null and does not require the member. */
function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  const object = unwrapped(schema);
  if (!(object instanceof z.ZodObject) || typeof value !== "object" || value === null) return value;
  const shape: Record<string, z.ZodType> = object.shape;
  const kept = Object.entries(value).flatMap(([name, each]) => {
    const field = shape[name];
    if (!field) return [[name, each]];
    const isLeftOut = each === null && !field.safeParse(null).success && field.safeParse(undefined).success;
    return isLeftOut ? [] : [[name, withoutNulls(field, each)]];
  });
  return Object.fromEntries(kept);
}

function unwrapped(schema: z.ZodType): z.ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}
