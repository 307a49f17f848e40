/**
 * The HTTP application: routes a request to its operation or page, and answers unknown paths and failures.
 */
import type { IncomingMessage } from "node:http";
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from "express";
import { bodyLimits, type Operation } from "../contract/operation.ts";
import type { RefusalCode } from "../contract/refusals.ts";
import { isOutage } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import { type Body, bodyOf, declaredLength, mayHaveBody, readBody, tooLarge } from "../request/body.ts";
import { match } from "../request/router.ts";
import { splitTarget } from "../request/target.ts";
import type { Span } from "../tracing/spans.ts";
import { bearerOf } from "../web/bearer.ts";
import { type Answer, refusal, send } from "./answer/answer.ts";
import type { ApiServices, RequestHead } from "./context.ts";
import { mayAnswerUnknownPath } from "./limits/rate-limiting.ts";
import { perform } from "./operation.ts";
import { newRequestId } from "./request-id.ts";
import { performWaiting } from "./streams/wait.ts";
import { performWatching } from "./streams/watch.ts";

const base = "/api/v1";
/** The route label of requests that match no route. */
export const unknownRoute = "unknown";
const noBody = bodyOf({});

/**
 * Operations come first, in a single Express application: every call would pay for a layer before them.
 *
 * @param pages handlers for paths that are no operations
 */
export function makeApp(service: ApiServices, log: Log, pages: RequestHandler[]): Express {
  const app = express().disable("x-powered-by").disable("etag").set("query parser", false);
  app.enable("case sensitive routing"); // otherwise changed case would bypass a proxy's rules for a path

  app.use(base, async (request: Request, response: Response, next: NextFunction) => {
    const began = performance.now();
    const requestId = newRequestId();
    service.metrics.began();
    const answered = await answerTo(request, response, requestId, service, log);
    if (!answered) {
      service.metrics.passedOn();
      return next();
    }
    const { answer, operation, span } = answered;
    const { status, code } = answer;
    send(response, answer, service.unsent);
    span?.end({ "http.response.status_code": status }, status >= 500 ? code : undefined);
    const ms = performance.now() - began;
    service.metrics.ended(request.method, operation ? base + operation.path : unknownRoute, status, code ?? "", ms);
    service.requestMinutes.note(answer.organisationId, status);
    if (log.isLevelEnabled("info")) {
      log.info({
        requestId,
        method: request.method,
        operation: operation?.name,
        status,
        code,
        ms: Math.round(ms * 10) / 10,
      });
    }
  });

  app.use((request: Request, response: Response, next: NextFunction) => {
    const began = performance.now();
    response.locals.requestId = newRequestId();
    response.setHeader("x-request-id", response.locals.requestId);
    service.metrics.began();
    response.once("close", () => {
      const ms = performance.now() - began;
      service.metrics.ended(request.method, pageOf(request), response.statusCode, response.locals.code ?? "", ms);
    });
    next();
  });
  app.use(...pages);
  const refuse = (request: Request, response: Response, code: RefusalCode, headers = {}) => {
    const { requestId } = response.locals;
    const { method } = request;
    const answer = refusal(code, requestId);
    Object.assign(answer.headers, headers);
    response.locals.code = code;
    send(response, answer);
    log.info({ requestId, method, status: answer.status, code });
  };
  app.use((request: Request, response: Response) => {
    refuse(
      request,
      response,
      mayAnswerUnknownPath(bearerOf(request), service.addressOf(request), service) ? "not_found" : "rate_limited",
    );
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    // A path that cannot be decoded, or an invalid form, is the caller's error.
    const { status = 500, allow } = error as { status?: number; allow?: string };
    if (allow) return refuse(request, response, "not_supported", { allow });
    if (status < 500) return refuse(request, response, status === 413 ? "payload_too_large" : "not_found");
    log.error({ requestId: response.locals.requestId, error: faultOf(error) }, "internal");
    refuse(request, response, "internal");
  });
  return app;
}

/** Undefined when no operation has this path. */
async function answerTo(
  request: Request,
  response: Response,
  requestId: string,
  service: ApiServices,
  log: Log,
): Promise<{ answer: Answer; operation?: Operation; span?: Span | undefined } | undefined> {
  const { path, query } = splitTarget(request.url);
  const matched = match(request.method, path);
  if (matched.found === "nothing") return undefined;
  const operation = matched.found === "operation" ? matched.operation : matched.nearest;
  const route = base + operation.path;
  const span = service.tracer?.begin(`${request.method} ${route}`, "server", header(request, "traceparent"), {
    "http.request.method": request.method,
    "http.route": route,
    "botstead.request.id": requestId,
  });
  try {
    const head: RequestHead = {
      span,
      operation,
      params: matched.found === "operation" ? matched.params : {},
      path,
      query,
      hasBody: mayHaveBody(request),
      readBody: () => bodyOfRequest(operation, request, response, service),
      idempotencyKey: header(request, "idempotency-key"),
      lastEventId: header(request, "last-event-id"),
      requestId,
      bearer: bearerOf(request),
      address: service.addressOf(request),
      since: performance.now(),
      ...(matched.found === "path" ? { problem: { code: "not_supported" } } : {}),
    };
    const answer = await performByKind(head, service, response);
    if (answer.code === "not_supported" && matched.found === "path") answer.headers.allow = matched.allow;
    return { answer, operation, span };
  } catch (error) {
    const code: RefusalCode = isOutage(error) ? "unavailable" : "internal";
    log.error({ requestId, operation: operation.name, error: faultOf(error) }, code);
    return { answer: refusal(code, requestId), operation, span };
  }
}

/** The path template of the page that answered, with "{id}" where Express writes ":id". */
function pageOf({ route, baseUrl }: Request): string {
  return typeof route?.path === "string" ? baseUrl + route.path.replaceAll(/:(\w+)/g, "{$1}") : unknownRoute;
}

/** @throws Error of the database or of its connection. */
function performByKind(head: RequestHead, service: ApiServices, response: Response): Promise<Answer> {
  const { operation, query } = head;
  if (operation.stream) return performWatching(head, service, response);
  if (operation.waits && query.has("wait")) return performWaiting(head, service, response);
  return perform(head, service);
}

/** If the operation takes no body, only the declared length is checked. */
async function bodyOfRequest(
  operation: Operation,
  request: Request,
  response: Response,
  { arriving }: ApiServices,
): Promise<Body | undefined> {
  if (!mayHaveBody(request)) return noBody;
  const limits = bodyLimits(operation);
  if (operation.body || operation.method === "post") return readBody(request, response, arriving, limits);
  return declaredLength(request) > limits.bytes ? tooLarge : noBody;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}
