/** Answers a request for an operation and records it: span, metrics, usage and log. */
import type { Request, Response } from "express";
import type { RefusalCode } from "../contract/refusals.ts";
import { outageReason } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import type { RequestMetrics } from "../metrics/requests.ts";
import type { Tracer } from "../tracing/spans.ts";
import { type Answer, refusal } from "./answer/answer.ts";
import type { Answering } from "./cells/cell-api.ts";
import type { RequestHead } from "./context.ts";
import type { Deadline } from "./limits/deadline.ts";

/** Below it are all operations. */
export const base = "/api/v1";

export type ServeParts = {
  answering: Answering;
  metrics: RequestMetrics;
  /** Undefined if tracing is off. */
  tracer: Tracer | undefined;
  /** How long an operation may take (limits/deadline.ts). */
  deadlineMs: number;
  log: Log;
};

/** The HTTP request that asked for the operation. `method` differs from the operation's for HEAD. */
export type Exchange = { method: string; traceparent: string | undefined; request: Request; response: Response };

/** @param send is called once, with the answer. It never throws. */
export type Serve = (
  head: Omit<RequestHead, "span" | keyof Deadline>,
  exchange: Exchange,
  send: (answer: Answer) => void,
) => Promise<void>;

export function makeServe({ answering, metrics, tracer, deadlineMs, log }: ServeParts): Serve {
  return async (given, { method, traceparent, request, response }, send) => {
    const began = performance.now();
    metrics.began();
    const { operation, requestId } = given;
    const route = base + operation.path;
    const span = tracer?.begin(`${method} ${route}`, "server", traceparent, {
      "http.request.method": method,
      "http.route": route,
      "botstead.request.id": requestId,
    });
    const head = { ...given, span, since: performance.now(), deadlineMs };
    const answer = await answerTo(head, request, response);
    const { status, code, reason, caller } = answer;
    send(answer);
    span?.end({ "http.response.status_code": status }, status >= 500 ? code : undefined);
    const ms = performance.now() - began;
    metrics.ended(method, route, status, code ?? "", ms);
    answering.noteUsage(head, answer);
    answering.noteRefusal(head, answer);
    if (log.isLevelEnabled("info")) {
      const { organisationId, keyId } = caller ?? {};
      const took = Math.round(ms * 10) / 10;
      const name = operation.name;
      log.info({ requestId, method, operation: name, organisationId, keyId, status, code, reason, ms: took });
    }
  };

  async function answerTo(head: RequestHead, request: Request, response: Response): Promise<Answer> {
    const { operation, requestId } = head;
    try {
      return await answering.answer(head, request, response);
    } catch (error) {
      const failure = outageReason(error);
      const code: RefusalCode = failure ? "unavailable" : "internal";
      log.error({ requestId, operation: operation.name, reason: failure, error: faultOf(error) }, code);
      return { ...refusal(code, requestId, null, failure), caller: answering.callerOf(head) };
    }
  }
}
