/**
 * Validates the request against the contract, and makes secrets. The first problem is no answer yet: api.handle returns it in its
 * place in the order of checks, after the credential and under the Idempotency-Key.
 * (docs/specification/conventions.md#order-of-checks)
 */
import type { z } from "zod";
import { uuid } from "../../contract/fields.ts";
import { isOfPairs } from "../../contract/metadata.ts";
import type { InspectionSettings } from "../../contract/operation.ts";
import { type Detail, maxDetails, type Problem } from "../../contract/refusals.ts";
import { readIfMatch } from "../../contract/revision.ts";
import type { MasterKey } from "../../secrets/master-key.ts";
import { secretOf } from "../../secrets/one-time.ts";
import type { Body } from "../body.ts";
import { checkCursors } from "../cursors.ts";
import { namedOthers } from "../named-others.ts";
import type { Received, Request } from "../request.ts";

/** @property master seals secrets. @property portalUrl without a trailing slash */
export type Settings = InspectionSettings & { master: MasterKey; portalUrl: string };

export function validate(request: Request, settings: Settings): void {
  if (request.problem) return;
  const { input, problem } = validateInput(request, settings);
  if (problem) request.problem = problem;
  else {
    const secret = request.operation.secret && secretOf(request.operation, settings);
    request.input = secret ? { ...input, ...secret.stored } : input;
    if (secret) request.members = [secret.member];
  }
}

export type Validated = { input: Record<string, unknown>; problem?: never } | { input?: never; problem: Problem };

/** Checks query, body and headers together, so that the details name every field that fails. */
export function validateInput(request: Received, settings: InspectionSettings): Validated {
  const { operation, params, body } = request;
  const problem = tooLargeOf(body);
  if (problem) return { problem };

  const details: Detail[] = [];
  const input: Record<string, unknown> = { ...params };
  if (operation.query) Object.assign(input, checkQuery(request, operation.query, details));
  if (operation.acceptsIfMatch) Object.assign(input, checkIfMatch(request, details));
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

function checkQuery(request: Received, schema: z.ZodObject, details: Detail[]): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const values = request.query.getAll(name);
    if (values.length > 1) details.push({ path: `query.${name}`, message: "must appear once" });
    else if (values[0] !== undefined) given[name] = values[0];
    else if (isOfPairs(field)) given[name] = pairsOf(request.query, name, details);
  }
  const { isLive = false, lastEventId } = request;
  if (isLive && lastEventId) {
    given.after = lastEventId;
    delete given.cursor; // the client has read on since it sent this cursor
  }
  return checkCursors(request, check("query", schema, given, details), details);
}

/** The pairs of `name[key]=value`. A parameter without a closing bracket counts as the empty key, which is refused. */
function pairsOf(query: URLSearchParams, name: string, details: Detail[]): object | undefined {
  const pairs = [...query].flatMap(([parameter, value]) =>
    parameter.startsWith(`${name}[`) ? [[/^[^[]+\[(.*)\]$/s.exec(parameter)?.[1] ?? "", value]] : [],
  );
  const found = Object.fromEntries(pairs);
  if (Object.keys(found).length < pairs.length) {
    details.push({ path: `query.${name}`, message: "must name each key once" });
  }
  return pairs.length > 0 ? found : undefined;
}

/** The revisions at which a change may be performed. `*` is no condition: a resource that does not exist is `not_found`. */
function checkIfMatch({ ifMatch, operation }: Received, details: Detail[]): Record<string, unknown> {
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

function invalid(details: Detail[]): Validated {
  return { problem: { code: "invalid_request", details: details.slice(0, maxDetails) } };
}
