/**
 * The HTTP application: what carries a request to its operation, and what answers when there is none.
 */
import type { IncomingMessage } from "node:http";
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from "express";
import type { Operation } from "../contract/operation.ts";
import type { RefusalCode } from "../contract/refusals.ts";
import { isOutage } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import type { Span } from "../tracing/spans.ts";
import { type Answer, refusal, send } from "./answer.ts";
import { mayHaveBody, readBody } from "./body.ts";
import { withinDeadline } from "./deadline.ts";
import { perform } from "./operation.ts";
import { newRequestId } from "./request-id.ts";
import { match } from "./router.ts";
import type { Asked, Service } from "./service.ts";
import { splitTarget } from "./target.ts";
import { performWaiting } from "./watching/wait.ts";
import { performWatching } from "./watching/watch.ts";

const base = "/api/v1";
/** The route of what no route was found for. */
export const unknownRoute = "unknown";
const noBody: Asked["body"] = { value: {}, canonical: "" };

/**
 * One application, with the operations first: whatever stands before them, a second application above all, every call
 * would pay for.
 *
 * @param beside pages and the like, for what no operation has
 */
export function makeApp(service: Service, log: Log, beside: RequestHandler[]): Express {
  const app = express().disable("x-powered-by").disable("etag").set("query parser", false);
  app.enable("case sensitive routing"); // or rules that a proxy has for a path would be walked around by its case

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
  app.use(...beside);
  const refuse = (request: Request, response: Response, code: RefusalCode) => {
    const { requestId } = response.locals;
    const { method } = request;
    const answer = refusal(code, requestId);
    response.locals.code = code;
    send(response, answer);
    log.info({ requestId, method, status: answer.status, code });
  };
  app.use((request: Request, response: Response) => refuse(request, response, "not_found"));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    // A path that can't be decoded, or a form that is none: the caller's fault, and there is nothing at such a path.
    const { status = 500 } = error as { status?: number };
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
  service: Service,
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
    const body = mayHaveBody(request) ? await readBody(request, response, service.arriving) : noBody;
    // Nobody reads this answer. Nothing was done, nor kept under the Idempotency-Key: the same may be sent again.
    if (!body) return { answer: refusal("invalid_request", requestId), operation, span };
    const asked: Asked = {
      span,
      operation,
      params: matched.found === "operation" ? matched.params : {},
      path,
      query,
      body,
      idempotencyKey: header(request, "idempotency-key"),
      lastEventId: header(request, "last-event-id"),
      requestId,
      bearer: /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1],
      address: service.addressOf(request),
      ...(matched.found === "path" ? { problem: { code: "not_supported" } } : {}),
    };
    const answer = await answerOnTime(asked, service, response);
    if (answer.code === "not_supported" && matched.found === "path") answer.headers.allow = matched.allow;
    return { answer, operation, span };
  } catch (error) {
    const code: RefusalCode = isOutage(error) ? "unavailable" : "internal";
    log.error({ requestId, operation: operation.name, error: faultOf(error) }, code);
    return { answer: refusal(code, requestId), operation, span };
  }
}

/** The template of the page that answered; Express writes ":id" where the contract writes "{id}". */
function pageOf({ route, baseUrl }: Request): string {
  return typeof route?.path === "string" ? baseUrl + route.path.replaceAll(/:(\w+)/g, "{$1}") : unknownRoute;
}

/** At once, but for what is to be held open. @throws Error of the database or of its connection. */
function answerOnTime(asked: Asked, service: Service, response: Response): Promise<Answer> {
  const { operation, query } = asked;
  if (operation.stream) return performWatching(asked, service, response);
  if (operation.waits && query.has("wait")) return performWaiting(asked, service, response);
  return withinDeadline((until) => perform({ ...asked, until }, service));
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}
