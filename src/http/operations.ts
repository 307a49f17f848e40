/** Routes a request to its operation, and answers it: each kind of operation in its way. */
import type { IncomingMessage } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import { receiveHook } from "../contract/hook-inbox.ts";
import { bodyLimits, type Operation } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import type { RefusalCode } from "../contract/refusals.ts";
import { outageReason } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import type { RequestMetrics } from "../metrics/requests.ts";
import { type Body, bodyOf, bodyWith, declaredLength, mayHaveBody, readBody, tooLarge } from "../request/body.ts";
import { makeRouter } from "../request/router.ts";
import { splitTarget } from "../request/target.ts";
import { digestOf } from "../secrets/credentials.ts";
import type { Tracer } from "../tracing/spans.ts";
import type { Backlog } from "../web/backlog.ts";
import { bearerOf } from "../web/bearer.ts";
import type { CallerAddress } from "../web/caller-address.ts";
import { type Answer, refusal, send } from "./answer/answer.ts";
import type { Perform, PerformOpen, RequestHead } from "./context.ts";
import type { Receive } from "./hook-inbox.ts";
import type { Identities } from "./limits/identities.ts";
import type { RequestMinutes } from "./limits/request-minutes.ts";
import { newRequestId } from "./request-id.ts";

export const base = "/api/v1";
const noBody = bodyOf({});
const match = makeRouter([...operations, receiveHook]);

type Parts = {
  perform: Perform;
  receive: Receive;
  wait: PerformOpen;
  watch: PerformOpen;
  addressOf: CallerAddress;
  /** Bodies that are still arriving. */
  arriving: Backlog;
  /** Large answers that were not sent yet. */
  unsent: Backlog;
  metrics: RequestMetrics;
  requestMinutes: RequestMinutes;
  /** Names the caller of a call that failed. */
  identities: Identities;
  /** Undefined if tracing is off. */
  tracer: Tracer | undefined;
  log: Log;
};

/** Passes on requests whose path is no operation's. */
export function serveOperations(parts: Parts): RequestHandler {
  const {
    perform,
    receive,
    wait,
    watch,
    addressOf,
    arriving,
    unsent,
    metrics,
    requestMinutes,
    identities,
    tracer,
    log,
  } = parts;

  return async (request, response, next) => {
    const began = performance.now();
    const { path, query } = splitTarget(request.url);
    const matched = match(request.method, path);
    if (matched.found === "nothing") return next();
    metrics.began();
    const requestId = newRequestId();
    const { method } = request;
    const operation = matched.found === "operation" ? matched.operation : matched.nearest;
    const route = base + operation.path;
    const span = tracer?.begin(`${method} ${route}`, "server", header(request, "traceparent"), {
      "http.request.method": method,
      "http.route": route,
      "botstead.request.id": requestId,
    });
    const head: RequestHead = {
      span,
      operation,
      params: matched.found === "operation" ? matched.params : {},
      path,
      query,
      hasBody: mayHaveBody(request),
      readBody: () => bodyOfRequest(operation, request, response, arriving),
      idempotencyKey: header(request, "idempotency-key"),
      lastEventId: header(request, "last-event-id"),
      requestId,
      bearer: bearerOf(request),
      address: addressOf(request),
      since: performance.now(),
      ...(matched.found === "path" ? { problem: { code: "not_supported" } } : {}),
    };
    const answer = await answerTo(head, request, response);
    const { status, code, reason, caller } = answer;
    if (code === "not_supported" && matched.found === "path") answer.headers.allow = matched.allow;
    send(response, answer, unsent);
    span?.end({ "http.response.status_code": status }, status >= 500 ? code : undefined);
    const ms = performance.now() - began;
    metrics.ended(method, route, status, code ?? "", ms);
    requestMinutes.note(caller?.organisationId, status);
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
      if (operation.waits && query.has("wait")) return await wait(head, response);
      return await perform(head);
    } catch (error) {
      const reason = outageReason(error);
      const code: RefusalCode = reason ? "unavailable" : "internal";
      log.error({ requestId, operation: operation.name, reason, error: faultOf(error) }, code);
      const caller = head.bearer === undefined ? undefined : identities.get(digestOf(head.bearer));
      return { ...refusal(code, requestId, null, reason), caller };
    }
  }
}

/** If the operation takes no body, only the declared length is checked. */
async function bodyOfRequest(
  operation: Operation,
  request: Request,
  response: Response,
  arriving: Backlog,
): Promise<Body | undefined> {
  if (!mayHaveBody(request)) return noBody;
  const limits = bodyLimits(operation);
  if (operation.body || operation.method === "post") return readBody(request, response, arriving, limits);
  return declaredLength(request) > limits.bytes ? bodyWith(tooLarge) : noBody;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}
