/** Reads the body, once the credential was accepted. A request with a problem is answered without its body. */
import type { Request as HttpRequest, Response } from "express";
import { isBatch, maxBodyBytes, maxBodyValues, type Operation } from "../../contract/operation.ts";
import { bodyWith, readBody, tooLarge } from "../../request/body.ts";
import { declaredLength, mayHaveBody } from "../../request/head.ts";
import { problemOfHead } from "../../request/validation.ts";
import type { Backlog } from "../../web/backlog.ts";
import { type Answer, noBody, type Request } from "../request.ts";
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

/** The body of an HTTP request. If the operation takes none, only the declared length is checked. */
export function bodyOfHttp(
  operation: Operation,
  http: HttpRequest,
  response: Response,
  arriving: Backlog,
): Pick<Request, "readBody"> & Partial<Pick<Request, "body">> {
  if (!mayHaveBody(http)) return {};
  if (operation.body || operation.method === "post") {
    return { readBody: once(() => readBody(http, response, arriving, maxBodyValues(operation))) };
  }
  return declaredLength(http) > maxBodyBytes ? { body: bodyWith(tooLarge) } : {};
}

/** A body arrives once, but several cells may be asked. (cells/routed.ts) */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read());
}

/** Each operation of a batch counts as one request. An invalid batch counts as one. */
export function costOf({ operation, body, again }: Request): number {
  if (again) return 0;
  if (!isBatch(operation) || "problem" in body || !Array.isArray(body.value.operations)) return 1;
  return Math.min(Math.max(body.value.operations.length, 1), 50);
}
