/**
 * Admission: from what was sent to what SQL is given. Only what the contract let through goes further; unknown fields
 * are dropped. The answer is either the input or the first problem in the order of checks: Idempotency-Key, query and
 * body, then the path. (Part 4; decisions: "Order of checks".)
 */
import { hash } from "node:crypto";
import type { z } from "zod";
import { uuid } from "../contract/fields.ts";
import { needsIdempotencyKey, type Operation } from "../contract/operation.ts";
import type { Detail, Problem } from "../contract/refusals.ts";
import type { AllowedRanges } from "../delivery/address.ts";
import type { Body } from "./body.ts";
import { listTag, readId, readPlace, readRank, searchTag } from "./cursors.ts";

export type Sent = {
  operation: Operation;
  params: Record<string, string>;
  /** The path below /api/v1, and what follows "?". */
  path: string;
  query: URLSearchParams;
  body: Body;
  idempotencyKey: string | undefined;
  /** As a stream that is gone on with names the last event that was read. */
  lastEventId?: string | undefined;
};

export type Admission = { input: Record<string, unknown>; problem?: never } | { input?: never; problem: Problem };

/** 1 to 255 printable ASCII characters. */
const idempotencyKeyShape = /^[\x20-\x7e]{1,255}$/;

export function admit(sent: Sent, settings: { allowed: AllowedRanges }): Admission {
  const { operation, params, body, idempotencyKey } = sent;
  if (needsIdempotencyKey(operation) && !idempotencyKeyShape.test(idempotencyKey ?? "")) {
    return invalid([
      { path: "headers.idempotency-key", message: "must be given: 1 to 255 printable ASCII characters" },
    ]);
  }

  const details: Detail[] = [];
  const input: Record<string, unknown> = { ...params };
  if (operation.query) Object.assign(input, checkQuery(sent, operation.query, details));
  if (operation.stream) input.after = checkPlace(sent.lastEventId, details);
  if (operation.body) {
    if ("problem" in body) return { problem: body.problem };
    Object.assign(input, check("body", operation.body, body.value, details));
    if (details.length === 0) details.push(...(operation.inspect?.(input, settings) ?? []));
  } else if ("problem" in body && body.problem.code === "payload_too_large") {
    return { problem: body.problem };
  }
  if (details.length > 0) return invalid(details);
  if (Object.values(params).some((id) => !uuid.safeParse(id).success)) return { problem: { code: "not_found" } };
  return { input };
}

/** SHA-256 over method, path and body: what makes two requests under one Idempotency-Key the same. */
export function fingerprint({ operation, path, query, body }: Sent): Buffer {
  return hash("sha256", `${operation.method}\n${path}\n${query}\n${body.canonical}`, "buffer");
}

function checkQuery(sent: Sent, schema: z.ZodObject, details: Detail[]): Record<string, unknown> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = sent.query.getAll(name);
    if (values.length > 1) details.push({ path: `query.${name}`, message: "must be given once" });
    else if (values[0] !== undefined) given[name] = values[0];
  }
  const checked = check("query", schema, given, details);
  // What is searched has an order of its own for each question.
  const words = sent.operation.list && checked.q;
  if (typeof words === "string") {
    const search = searchTag(sent.path, words);
    return { ...at("cursor", readRank, search), list: search };
  }
  const list = listTag(sent.path);
  if (sent.operation.list) return { ...at("cursor", readId, list), list };
  if (sent.operation.feed) return { ...at("after", readPlace, list), list };
  return checked;

  /** What was checked, with the place that this parameter holds instead of the parameter. */
  function at(name: "cursor" | "after", read: (cursor: string, list: string) => object | undefined, list: string) {
    const { [name]: cursor, ...others } = checked;
    if (cursor === undefined) return others;
    const place = read(String(cursor), list);
    if (!place) details.push({ path: `query.${name}`, message: "must be a nextCursor of this list" });
    return { ...others, ...place };
  }
}

/** The number of the event after which a stream goes on; it begins at the beginning where none is named. */
function checkPlace(lastEventId: string | undefined, details: Detail[]): number {
  if (lastEventId !== undefined && !/^\d{1,9}$/.test(lastEventId)) {
    details.push({ path: "headers.last-event-id", message: "must be the id of an event of this stream" });
  }
  return Number(lastEventId ?? 0);
}

function check(
  part: "query" | "body",
  schema: z.ZodObject,
  value: Record<string, unknown>,
  details: Detail[],
): Record<string, unknown> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    details.push({ path: [part, ...issue.path].join("."), message: issue.message });
  }
  return {};
}

function invalid(details: Detail[]): Admission {
  return { problem: { code: "invalid_request", details } };
}
