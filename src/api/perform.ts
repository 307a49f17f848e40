/**
 * The line of a request. HTTP, pages, hooks, tools of agents and repeated reads pass the same stages, in the order of `makePerform`.
 * Each request for an operation is recorded: span, metrics, usage and log.
 */
import type { IncomingMessage } from "node:http";
import type { Request as HttpRequest, RequestHandler, Response } from "express";
import type { RefusalCode } from "../contract/refusals.ts";
import { isDeniedRow, outageReason } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import type { RequestMetrics } from "../metrics/requests.ts";
import type { Tracer } from "../tracing/spans.ts";
import type { Backlog } from "../web/backlog.ts";
import { type CallerAddress, splitTarget } from "../web/head.ts";
import { validateBatch } from "./batch.ts";
import type { Receive } from "./hook-inbox.ts";
import {
  type Answer,
  type Caller,
  newRequest,
  newRequestId,
  type Perform,
  type PerformOpen,
  type Request,
  withinDeadline,
} from "./request.ts";
import { authenticate as byBearer, type Present, presentedBy } from "./stages/authenticate.ts";
import type { CallOperation } from "./stages/call.ts";
import type { Limits } from "./stages/limit.ts";
import { matchHttp } from "./stages/match.ts";
import { bodyOfHttp, read } from "./stages/read.ts";
import { deprecationHeaders, refusal, respond, send as sendAnswer } from "./stages/respond.ts";
import { type Settings, validate } from "./stages/validate.ts";

/** Below it are all operations. */
export const base = "/api/v1";

export type Answering = {
  /** Answers each kind of operation in its way. @throws Error of the database or of its connection */
  answer(request: Request, http: HttpRequest, response: Response): Promise<Answer>;
  perform: Perform;
  /** The caller of a call that failed, if this process knows the credential. */
  callerOf(request: Request): Caller | undefined;
  /** Counts the request for its organisation and key. */
  noteUsage(request: Request, answer: Answer): void;
  /** Counts the credential of the request if it was refused. Also for pages, whose requests are no usage. */
  noteRefusal(request: Request, answer: Answer): void;
  /** Whether a 404 may be sent for an unknown path (RateLimiting). */
  mayAnswerUnknownPath(bearer: string | undefined, address: string | undefined): boolean;
};

const jsonLines = "application/x-ndjson";

type HttpParts = {
  serve: Serve;
  addressOf: CallerAddress;
  /** Bodies that are still arriving. */
  arriving: Backlog;
  /** Large answers that were not sent yet. */
  unsent: Backlog;
  present: Present | undefined;
};

/** Passes on requests whose path is no operation's. */
export function serveOperations({ serve, addressOf, arriving, unsent, present }: HttpParts): RequestHandler {
  return async (http, response, next) => {
    const { path, query } = splitTarget(http.url);
    const { method } = http;
    const matched = matchHttp(method, path);
    if (matched.found === "nothing") return next();
    const operation = matched.found === "operation" ? matched.operation : matched.nearest;
    const request = newRequest({
      operation,
      params: matched.found === "operation" ? matched.params : {},
      path,
      query,
      ...bodyOfHttp(operation, http, response, arriving),
      idempotencyKey: header(http, "idempotency-key"),
      ifMatch: header(http, "if-match"),
      lastEventId: header(http, "last-event-id"),
      isLive: operation.feed === true && /\btext\/event-stream\b/i.test(http.headers.accept ?? ""),
      isLines: operation.lines === true && http.accepts(["application/json", jsonLines]) === jsonLines,
      requestId: newRequestId(),
      ...presentedBy(http, present),
      address: addressOf(http),
      problem: matched.found === "path" ? { code: "not_supported" } : undefined,
    });
    const traceparent = header(http, "traceparent");
    await serve(request, { method, traceparent, http, response }, (answer) => {
      if (answer.code === "not_supported" && matched.found === "path") answer.headers.allow = matched.allow;
      sendAnswer(response, answer, unsent);
    });
  };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}

type ServeParts = {
  answering: Answering;
  metrics: RequestMetrics;
  /** Undefined if tracing is off. */
  tracer: Tracer | undefined;
  /** How long an operation may take (request.ts). */
  deadlineMs: number;
  log: Log;
};

/** The HTTP request that asked for the operation. `method` differs from the operation's for HEAD. */
export type Exchange = { method: string; traceparent: string | undefined; http: HttpRequest; response: Response };

/** @param send is called once, with the answer. It never throws. */
export type Serve = (request: Request, exchange: Exchange, send: (answer: Answer) => void) => Promise<void>;

export function makeServe({ answering, metrics, tracer, deadlineMs, log }: ServeParts): Serve {
  return async (request, { method, traceparent, http, response }, send) => {
    const began = performance.now();
    metrics.began();
    const { operation, requestId } = request;
    const route = base + operation.path;
    const span = tracer?.begin(`${method} ${route}`, "server", traceparent, {
      "http.request.method": method,
      "http.route": route,
      "botstead.request.id": requestId,
    });
    Object.assign(request, { span, since: performance.now(), deadlineMs });
    const answer = await answerTo(request, http, response);
    const { status, code, reason, caller } = answer;
    send(answer);
    span?.end({ "http.response.status_code": status }, status >= 500 ? code : undefined);
    const ms = performance.now() - began;
    metrics.ended(method, route, status, code ?? "", ms);
    answering.noteUsage(request, answer);
    if (code) answering.noteRefusal(request, answer);
    if (log.isLevelEnabled("info")) {
      const { organisationId, keyId } = caller ?? {};
      const took = Math.round(ms * 10) / 10;
      const name = operation.name;
      log.info({ requestId, method, operation: name, organisationId, keyId, status, code, reason, ms: took });
    }
  };

  async function answerTo(request: Request, http: HttpRequest, response: Response): Promise<Answer> {
    const { operation, requestId } = request;
    try {
      return await answering.answer(request, http, response);
    } catch (error) {
      // The deletion of its organisation may have begun meanwhile. The call had no effect, and then its credential is refused.
      if (isDeniedRow(error) && !request.again) return answerTo({ ...request, again: true }, http, response);
      const failure = outageReason(error);
      const code: RefusalCode = failure ? "unavailable" : "internal";
      log.error({ requestId, operation: operation.name, reason: failure, error: faultOf(error) }, code);
      return { ...refusal(code, requestId, null, failure), caller: answering.callerOf(request) };
    }
  }
}

type Ways = Record<"wait" | "watch" | "follow" | "lines", PerformOpen> & { perform: Perform; receive: Receive };

/** Answers at once, after a wait, or by a stream. A post to a hook is authenticated by its signature. */
export const makeAnswer =
  ({ perform, receive, wait, watch, follow, lines }: Ways): Answering["answer"] =>
  (request, http, response) => {
    const { operation, query } = request;
    if (operation.keyClass === "hook") return receive(request, http, response);
    if (operation.stream) return watch(request, response);
    if (request.isLive) return follow(request, response);
    if (request.isLines) return lines(request, response);
    if (operation.waits && query.has("wait")) return wait(request, response);
    return perform(request);
  };

type Stages = {
  limits: Limits;
  settings: Settings;
  call: CallOperation;
  /** Includes /api/v1, without a trailing slash. */
  apiUrl: string;
};

export function makePerform({ limits, settings, call, apiUrl }: Stages): Perform {
  return async (given, authenticate = byBearer) => {
    const request = { ...given }; // another cell may be asked with the same request
    const problem = await authenticate(request);
    if (problem) return limits.refuse(request, problem);
    const refused = (await limits.admit(request)) ?? (await read(request)) ?? (await limits.count(request));
    const answer = await limits.settle(request, refused ?? answerTo(request));
    const { deprecated } = request.operation;
    if (deprecated) Object.assign(answer.headers, deprecationHeaders(deprecated));
    return answer;
  };

  async function answerTo(request: Request): Promise<Answer> {
    if (request.operation.isBatch) validateBatch(request, settings);
    else validate(request, settings);
    const result = await withinDeadline(request, (until) => call(request, until));
    return respond(request, result, apiUrl);
  }
}
