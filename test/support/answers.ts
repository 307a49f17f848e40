/** Assertions about every response of the API. */
import type { z } from "zod";
import { operations } from "../../src/contract/operations.ts";
import { isReason, type Reason, reasonHeader, reasons } from "../../src/contract/reasons.ts";
import { type RefusalCode, refusals } from "../../src/contract/refusals.ts";
import type { Json, Reply } from "./api.ts";

export const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function expectCommonHeaders(reply: Reply<unknown>, type = "application/json"): void {
  expect(reply.headers.get("content-type")).toBe(type);
  expect(reply.headers.get("cache-control")).toBe("private, no-store");
  expect(reply.headers.get("x-request-id")).toMatch(uuidV7);
  expect(reply.headers.get("x-powered-by")).toBeNull();
}

/** Asserts success: the operation's status, and a body with exactly the fields of the contract. */
export function expectAnswer(name: string, reply: Reply<Json>): Json {
  const operation = operations.find((each) => each.name === name);
  if (!operation) throw new Error(`There is no operation ${name}.`);
  if (reply.status >= 400) throw new Error(`${name} was refused: ${reply.text}`);
  expect(reply.status).toBe(operation.status);
  expectCommonHeaders(reply, operation.stream ? "text/event-stream" : undefined);
  expect(reply.headers.get("ratelimit")).not.toBeNull();
  for (const event of operation.stream ? reply.body : [reply.body]) expect(operation.reply.parse(event)).toEqual(event);
  const { location } = operation;
  const own = location && !location.endsWith("/") ? location : reply.body.id; // no id names what exists once
  if (reply.status === 201) expect(reply.headers.get("location")).toContain(own);
  return reply.body;
}

/**
 * The response is this refusal: its status, its fixed sentence, its request id, and details where they belong.
 *
 * @param expected a code, or one of its reasons
 */
export function expectRefusal(reply: Reply<Json>, expected: RefusalCode | Reason, paths?: string[]): void {
  const code = isReason(expected) ? reasons[expected].code : expected;
  const { status, message } = refusals[code];
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status, body: { error: { code } } });
  const reason = reply.headers.get(reasonHeader) as Reason | null;
  if (isReason(expected)) expect(reason).toBe(expected);
  else expect(reason && reasons[reason]?.code).toBe(isExplained(code) ? code : null);
  expectCommonHeaders(reply);
  const requestId = reply.headers.get("x-request-id");
  if (code === "invalid_request") {
    const { details } = reply.body.error;
    expect(details.length).toBeGreaterThan(0);
    for (const detail of details) expect(detail).toEqual({ path: expect.any(String), message: expect.any(String) });
    expect(reply.body).toEqual({ error: { code, message, requestId, details } });
    if (paths) expect(details.map((detail: Json) => detail.path)).toEqual(paths);
  } else {
    expect(reply.body).toEqual({ error: { code, message, requestId } });
  }
  expect(reply.headers.get("www-authenticate")).toBe(code === "unauthenticated" ? "Bearer" : null);
  expect(reply.headers.get("retry-after")).toBe(code === "rate_limited" ? "60" : null);
  expect(reply.headers.get("location")).toBeNull();
}

/** Whether refusals of this code carry a reason. */
const isExplained = (code: RefusalCode) => Object.values(reasons).some((reason) => reason.code === code);

/** The statuses of the results of a batch. */
export const statusesOf = (results: Json[]): number[] => results.map(({ status }) => status);

/** The headers with the rate limits and what remains of them. */
export const rateLimitsOf = ({ headers }: Reply<Json>): (string | null)[] => [
  headers.get("ratelimit-policy"),
  headers.get("ratelimit"),
];

/** Status, headers and body without the parts that always differ between two refusals. */
export function sameButForRequestId(reply: Reply<Json>): unknown {
  const varying = new Set(["x-request-id", "date", "ratelimit", "keep-alive"]);
  const headers = [...reply.headers].filter(([name]) => !varying.has(name));
  return { status: reply.status, headers, text: reply.text.replace(reply.headers.get("x-request-id") ?? "?", "…") };
}

/** Asserts that the second response equals the first byte for byte and is marked as a replay. */
export function expectReplay(again: Reply<Json>, first: Reply<Json>): void {
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  for (const name of ["x-request-id", "location", "content-type", "cache-control"]) {
    expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
  }
}

/** Every field of the schema as null, without optional ones: an expected answer, to which a test adds the values of the fields that have one. */
export const nulls = ({ shape }: { shape: Record<string, z.core.$ZodType> }): Record<string, null> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([field, { _zod }]) => (_zod.optout === "optional" ? [] : [[field, null]])),
  );
