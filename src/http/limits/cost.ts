/** The body of a request, and the number of requests that it counts as. */
import { type Body, bodyOf } from "../../request/body.ts";
import { problemOfHead } from "../../request/validation.ts";
import { isBatch } from "../batch.ts";
import type { RequestContext, RequestHead } from "../context.ts";

const noBody = bodyOf({});

/** Reads the body, unless the head has a problem. Returns undefined if the caller disconnected. */
export async function withBody(head: RequestHead): Promise<RequestContext | undefined> {
  const problem = head.problem ?? problemOfHead(head);
  if (problem) return { ...head, problem, body: noBody };
  const began = performance.now();
  const body = await head.readBody();
  return body && { ...head, body, since: head.since + performance.now() - began };
}

export const rateLimitedContext = (head: RequestHead): RequestContext => ({
  ...head,
  body: noBody,
  problem: { code: "rate_limited" },
});

/** Each operation of a batch counts as one request. An invalid batch counts as one. */
export function costOf({ operation, body, again }: RequestHead & { body?: Body }): number {
  if (again) return 0;
  if (!isBatch(operation) || !body || "problem" in body || !Array.isArray(body.value.operations)) return 1;
  return Math.min(Math.max(body.value.operations.length, 1), 50);
}
