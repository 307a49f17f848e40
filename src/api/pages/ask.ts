/** Performs an operation for a page. The credential is the token in the page's URL, or the given one, such as the portal's session. */
import type { Request as HttpRequest } from "express";
import type { Operation } from "../../contract/operation.ts";
import { outageReason } from "../../database/outage.ts";
import { faultOf, type Log } from "../../log.ts";
import type { CallerAddress } from "../../web/head.ts";
import { bodyOf } from "../body.ts";
import type { Answering } from "../perform.ts";
import { type Answer, newRequest } from "../request.ts";

type Shown = Pick<Answer, "status" | "body" | "code">;

export type Ask = (
  operation: Operation,
  http: HttpRequest,
  value?: Record<string, unknown>,
  token?: string,
) => Promise<Shown>;

/** `deadlineMs` is how long a page's operations may take. */
type Parts = { answering: Answering; addressOf: CallerAddress; deadlineMs: number; log: Log };

/** Logs an error and answers 503 for it. */
export function makeAsk({ answering, addressOf, deadlineMs, log }: Parts): Ask {
  return async (operation, http, value = {}, token = String(http.params.token)) => {
    const locals: Record<string, unknown> = http.res?.locals ?? {};
    const requestId = String(locals.requestId);
    locals.askedSince ??= performance.now(); // a page may perform two operations
    try {
      const request = newRequest({
        operation,
        params: {},
        path: operation.path,
        query: new URLSearchParams(),
        body: bodyOf(value),
        idempotencyKey: undefined,
        requestId,
        bearer: token,
        portalSession: operation.keyClass === "portal_session",
        address: addressOf(http),
        ...{ since: Number(locals.askedSince), deadlineMs },
      });
      const answer = await answering.perform(request);
      answering.noteRefusal(request, answer);
      return answer;
    } catch (error) {
      const reason = outageReason(error);
      log.error(
        { requestId, page: operation.name, reason, error: faultOf(error) },
        reason ? "unavailable" : "internal",
      );
      return { status: 503, body: "" };
    }
  };
}
