/**
 * Validates a request against the contract. Returns the input for SQL, without unknown fields, or the first problem in the
 * order of checks: Idempotency-Key, query and body, then the path. (docs/specification/conventions.md#order-of-checks)
 */
import { createHash } from "node:crypto";
import type { z } from "zod";
import { uuid } from "../contract/fields.ts";
import { acceptsIfMatch, type InspectionSettings, needsIdempotencyKey, type Operation } from "../contract/operation.ts";
import type { Detail, Problem } from "../contract/refusals.ts";
import { readIfMatch } from "../contract/revision.ts";
import type { Body } from "./body.ts";
import { listTag, readFeedPosition, readId, readSearchPosition, searchTag } from "./cursors.ts";
import { namedOthers } from "./named-others.ts";

export type ReceivedRequest = {
  operation: Operation;
  params: Record<string, string>;
  /** Below /api/v1. */
  path: string;
  query: URLSearchParams;
  body: Body;
  idempotencyKey: string | undefined;
  ifMatch?: string | undefined;
  /** The last event that the client of a resumed stream has read. */
  lastEventId?: string | undefined;
  /** Whether a feed is requested as a stream of server-sent events. */
  isLive?: boolean;
};

export type ValidatedInput = { input: Record<string, unknown>; problem?: never } | { input?: never; problem: Problem };

/** 1 to 255 printable ASCII characters. */
const idempotencyKeyShape = /^[\x20-\x7e]{1,255}$/;

/** Returns the problem that can be found before the body is read. */
export function problemOfHead({ operation, idempotencyKey }: Omit<ReceivedRequest, "body">): Problem | undefined {
  if (!needsIdempotencyKey(operation) || idempotencyKeyShape.test(idempotencyKey ?? "")) return undefined;
  const details = [{ path: "headers.idempotency-key", message: "is required: 1 to 255 printable ASCII characters" }];
  return { code: "invalid_request", details };
}

/** Checks query, body and headers together, so that the details name every field that fails. */
export function validateInput(request: ReceivedRequest, settings: InspectionSettings): ValidatedInput {
  const { operation, params, body } = request;
  const problem = problemOfHead(request) ?? tooLargeOf(body);
  if (problem) return { problem };

  const details: Detail[] = [];
  const input: Record<string, unknown> = { ...params };
  if (operation.query) Object.assign(input, checkQuery(request, operation.query, details));
  if (acceptsIfMatch(operation)) Object.assign(input, checkIfMatch(request, details));
  if (operation.stream) input.after = checkEventId(request.lastEventId, details);
  if (operation.body) {
    if ("problem" in body) details.push(...(body.problem.details ?? []));
    else Object.assign(input, check("body", operation.body, body.value, details));
    details.push(...(operation.inspect?.(input, settings) ?? []));
  }
  if (operation.method === "post" || operation.method === "patch") {
    details.push(...namedOthers(request, "problem" in body ? {} : body.value));
  }
  if (details.length > 0) return invalid(details);
  if (Object.values(params).some((id) => !uuid.safeParse(id).success)) return { problem: { code: "not_found" } };
  return { input: { ...input, ...operation.derive?.(input) } };
}

function tooLargeOf(body: Body): Problem | undefined {
  return "problem" in body && body.problem.code === "payload_too_large" ? body.problem : undefined;
}

/** SHA-256 over method, path, query and body. Two requests under one Idempotency-Key must have the same fingerprint. */
export function fingerprint({ operation, path, query, body }: ReceivedRequest): Buffer {
  const digest = createHash("sha256").update(`${operation.method}\n${path}\n${query}\n`);
  return digest.update(body.canonical()).digest();
}

function checkQuery(request: ReceivedRequest, schema: z.ZodObject, details: Detail[]): Record<string, unknown> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = request.query.getAll(name);
    if (values.length > 1) details.push({ path: `query.${name}`, message: "must appear once" });
    else if (values[0] !== undefined) given[name] = values[0];
  }
  const { operation, path, isLive = false, lastEventId } = request;
  if (isLive && lastEventId) {
    given.after = lastEventId;
    delete given.cursor; // the client has read on since it sent this cursor
  }
  const checked = check("query", schema, given, details);
  const search = operation.list && checked.q;
  if (typeof search === "string") {
    const list = searchTag(path, search); // each search has its own order
    return { ...at("cursor", readSearchPosition, list), list };
  }
  const list = listTag(path);
  if (operation.list) return { ...at("cursor", readId, list), list };
  if (operation.feed) {
    const from = at("after", readFeedPosition, list);
    return { ...at("cursor", readFeedPosition, list, from), list, ...(isLive ? { live: true } : {}) };
  }
  return checked;

  /** Replaces the parameter with the position that it holds. */
  function at(
    name: "cursor" | "after",
    read: (cursor: string, list: string) => object | undefined,
    list: string,
    from = checked,
  ): Record<string, unknown> {
    const { [name]: cursor, ...others } = from;
    if (cursor === undefined || (name === "cursor" && cursor === "")) return others;
    const position = read(String(cursor), list);
    const expected =
      name === "after" ? "must be a position or nextCursor of this list" : "must be a nextCursor of this list";
    if (!position) details.push({ path: `query.${name}`, message: expected });
    return { ...others, ...position };
  }
}

/** The revisions at which a change may be performed. `*` is no condition: a resource that does not exist is `not_found`. */
function checkIfMatch({ ifMatch, operation }: ReceivedRequest, details: Detail[]): Record<string, unknown> {
  if (ifMatch === undefined) return {};
  const revisions = readIfMatch(ifMatch);
  if (!revisions) details.push({ path: "headers.if-match", message: "must be * or a list of entity tags" });
  return Array.isArray(revisions) ? { ifMatch: { revisions, ignored: operation.revision?.ignored } } : {};
}

/** The number of the last event that was read; 0 if the header is missing. */
function checkEventId(lastEventId: string | undefined, details: Detail[]): number {
  if (lastEventId !== undefined && !/^\d{1,9}$/.test(lastEventId)) {
    details.push({ path: "headers.last-event-id", message: "must be the id of an event of this stream" });
  }
  return Number(lastEventId ?? 0);
}

/** Returns the parsed value. If it is invalid, returns the valid fields and adds the others to the details. */
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
  const failed = new Set(result.error.issues.map(({ path }) => path[0]));
  const fields = Object.entries(schema.shape).filter(([name]) => name in value && !failed.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, (field as z.ZodType).parse(value[name])]));
}

/** A small body can have thousands of invalid fields, and the details are stored. */
const maxDetails = 100;

function invalid(details: Detail[]): ValidatedInput {
  return { problem: { code: "invalid_request", details: details.slice(0, maxDetails) } };
}
