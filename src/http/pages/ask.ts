/** Performs an operation for a page. The credential is the token in the page's URL, or the given one, such as the portal's session. */
import type { Request } from "express";
import type { Operation } from "../../contract/operation.ts";
import { outageReason } from "../../database/outage.ts";
import { faultOf, type Log } from "../../log.ts";
import { bodyOf } from "../../request/body.ts";
import type { CallerAddress } from "../../web/caller-address.ts";
import type { Answer } from "../answer/answer.ts";
import type { Answering } from "../cells/cell-api.ts";

type Shown = Pick<Answer, "status" | "body" | "code">;

export type Ask = (
  operation: Operation,
  request: Request,
  value?: Record<string, unknown>,
  token?: string,
) => Promise<Shown>;

/** `deadlineMs` is how long a page's operations may take. */
type Parts = { answering: Answering; addressOf: CallerAddress; deadlineMs: number; log: Log };

/** Logs an error and answers 503 for it. */
export function makeAsk({ answering, addressOf, deadlineMs, log }: Parts): Ask {
  return async (operation, request, value = {}, token = String(request.params.token)) => {
    const locals: Record<string, unknown> = request.res?.locals ?? {};
    const requestId = String(locals.requestId);
    locals.askedSince ??= performance.now(); // a page may perform two operations
    try {
      const head = {
        operation,
        params: {},
        path: operation.path,
        query: new URLSearchParams(),
        hasBody: false, // the page has read its form
        readBody: async () => bodyOf(value),
        idempotencyKey: undefined,
        requestId,
        bearer: token,
        portalSession: operation.keyClass === "portal_session",
        address: addressOf(request),
        ...{ since: Number(locals.askedSince), deadlineMs },
      };
      const answer = await answering.perform(head);
      answering.noteRefusal(head, answer);
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
