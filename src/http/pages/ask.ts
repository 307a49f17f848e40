/** How a page asks the database: an operation like any other, whose credential is the token in the page's address. */
import type { Request } from "express";
import type { Operation } from "../../contract/operation.ts";
import { isOutage } from "../../database/outage.ts";
import { faultOf, type Log } from "../../log.ts";
import type { Answer } from "../answer.ts";
import { withinDeadline } from "../deadline.ts";
import { perform } from "../operation.ts";
import type { Asked, Service } from "../service.ts";

/** Answers 503 where there is no answer to be had; what it was is logged. */
export async function ask(
  operation: Operation,
  request: Request,
  value: Record<string, unknown>,
  service: Service,
  log: Log,
): Promise<Answer | { status: 503; body: string }> {
  const locals: Record<string, unknown> = request.res?.locals ?? {};
  const requestId = String(locals.requestId);
  locals.askedSince ??= performance.now(); // a page may ask twice
  try {
    const asked: Asked = {
      operation,
      params: {},
      path: operation.path,
      query: new URLSearchParams(),
      body: { value, canonical: "" },
      idempotencyKey: "a page needs none",
      requestId,
      bearer: String(request.params.token),
      address: service.addressOf(request),
    };
    return await withinDeadline((until) => perform({ ...asked, until }, service), Number(locals.askedSince));
  } catch (error) {
    log.error({ requestId, page: operation.name, error: faultOf(error) }, isOutage(error) ? "unavailable" : "internal");
    return { status: 503, body: "" };
  }
}
