/** Answers a request for an operation, each kind of operation in its way, and records it: span, metrics, usage and log. */
import type { Request, Response } from "express";
import type { RefusalCode } from "../contract/refusals.ts";
import { outageReason } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import type { RequestMetrics } from "../metrics/requests.ts";
import { digestOf } from "../secrets/credentials.ts";
import type { Tracer } from "../tracing/spans.ts";
import { type Answer, refusal } from "./answer/answer.ts";
import type { Perform, PerformOpen, RequestHead } from "./context.ts";
import type { Receive } from "./hook-inbox.ts";
import type { Identities } from "./limits/identities.ts";
import type { KeyDays } from "./limits/key-days.ts";
import type { RequestMinutes } from "./limits/request-minutes.ts";

/** Below it are all operations. */
export const base = "/api/v1";

export type ServeParts = {
  perform: Perform;
  receive: Receive;
  wait: PerformOpen;
  watch: PerformOpen;
  follow: PerformOpen;
  metrics: RequestMetrics;
  requestMinutes: RequestMinutes;
  keyDays: KeyDays;
  /** Names the caller of a call that failed. */
  identities: Identities;
  /** Undefined if tracing is off. */
  tracer: Tracer | undefined;
  log: Log;
};

/** The HTTP request that asked for the operation. `method` differs from the operation's for HEAD. */
export type Exchange = { method: string; traceparent: string | undefined; request: Request; response: Response };

/** @param send is called once, with the answer. It never throws. */
export type Serve = (
  head: Omit<RequestHead, "span" | "since">,
  exchange: Exchange,
  send: (answer: Answer) => void,
) => Promise<void>;

export function makeServe(parts: ServeParts): Serve {
  const { perform, receive, wait, watch, follow, metrics, requestMinutes, keyDays, identities, tracer, log } = parts;

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
    const answer = await answerTo({ ...given, span, since: performance.now() }, request, response);
    const { status, code, reason, caller } = answer;
    send(answer);
    span?.end({ "http.response.status_code": status }, status >= 500 ? code : undefined);
    const ms = performance.now() - began;
    metrics.ended(method, route, status, code ?? "", ms);
    requestMinutes.note(caller?.organisationId, status);
    if (caller && operation.keyClass === "organisation" && !given.portalSession) keyDays.note(caller, status);
    if (log.isLevelEnabled("info")) {
      const { organisationId, keyId } = caller ?? {};
      const took = Math.round(ms * 10) / 10;
      const name = operation.name;
      log.info({ requestId, method, operation: name, organisationId, keyId, status, code, reason, ms: took });
    }
  };

  async function answerTo(head: RequestHead, request: Request, response: Response): Promise<Answer> {
    const { operation, query, requestId } = head;
    try {
      if (operation.keyClass === "hook") return await receive(head, request, response);
      if (operation.stream) return await watch(head, response);
      if (head.isLive) return await follow(head, response);
      if (operation.waits && query.has("wait")) return await wait(head, response);
      return await perform(head);
    } catch (error) {
      const failure = outageReason(error);
      const code: RefusalCode = failure ? "unavailable" : "internal";
      log.error({ requestId, operation: operation.name, reason: failure, error: faultOf(error) }, code);
      const caller = head.bearer === undefined ? undefined : identities.get(digestOf(head.bearer), head.address);
      return { ...refusal(code, requestId, null, failure), caller };
    }
  }
}
