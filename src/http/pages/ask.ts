/** Performs an operation for a page. The credential is the token in the page's URL. */
import type { Request } from "express";
import type { Operation } from "../../contract/operation.ts";
import { isOutage } from "../../database/outage.ts";
import { faultOf, type Log } from "../../log.ts";
import { bodyOf } from "../../request/body.ts";
import type { Answer } from "../answer/answer.ts";
import type { ApiServices } from "../context.ts";
import { perform } from "../operation.ts";

/** Logs an error and answers 503 for it. */
export async function ask(
  operation: Operation,
  request: Request,
  value: Record<string, unknown>,
  service: ApiServices,
  log: Log,
): Promise<Answer | { status: 503; body: string }> {
  const locals: Record<string, unknown> = request.res?.locals ?? {};
  const requestId = String(locals.requestId);
  locals.askedSince ??= performance.now(); // a page may perform two operations
  try {
    return await perform(
      {
        operation,
        params: {},
        path: operation.path,
        query: new URLSearchParams(),
        hasBody: false, // the page has read its form
        readBody: () => Promise.resolve(bodyOf(value)),
        idempotencyKey: "a page needs none",
        requestId,
        bearer: String(request.params.token),
        address: service.addressOf(request),
        since: Number(locals.askedSince),
      },
      service,
    );
  } catch (error) {
    log.error({ requestId, page: operation.name, error: faultOf(error) }, isOutage(error) ? "unavailable" : "internal");
    return { status: 503, body: "" };
  }
}
