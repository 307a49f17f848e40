/**
 * The HTTP application: what carries a request to its operation, and what answers when there is none.
 */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from "express";
import type { Operation } from "../contract/operation.ts";
import type { RefusalCode } from "../contract/refusals.ts";
import { isOutage } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import type { Span } from "../tracing/spans.ts";
import { type Answer, refusal, send } from "./answer.ts";
import { readBody } from "./body.ts";
import { withinDeadline } from "./deadline.ts";
import { type Asked, perform, type Service } from "./operation.ts";
import { newRequestId } from "./request-id.ts";
import { match } from "./router.ts";
import { performWaiting } from "./watching/wait.ts";
import { performWatching } from "./watching/watch.ts";

const base = "/api/v1";
/** The route of what no route was found for. */
const unknown = "unknown";
const noBody: Asked["body"] = { value: {}, canonical: "" };

/**
 * One application, with the operations first: whatever stands before them, a second application above all, every call
 * would pay for.
 *
 * @param beside pages and the like, for what no operation has
 */
export function makeApp(service: Service, log: Log, beside: RequestHandler[]): Express {
  const app = express().disable("x-powered-by").disable("etag").set("query parser", false);

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
    send(response, answer);
    span?.end({ "http.response.status_code": status }, status >= 500 ? code : undefined);
    const ms = performance.now() - began;
    service.metrics.ended(request.method, operation ? base + operation.path : unknown, status, code ?? "", ms);
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
    service.metrics.began();
    response.once("close", () => {
      const ms = performance.now() - began;
      service.metrics.ended(request.method, pageOf(request), response.statusCode, response.locals.code ?? "", ms);
    });
    next();
  });
  app.use(...beside);
  app.use((request: Request, response: Response) => {
    const requestId = newRequestId();
    const { method } = request;
    send(response, refusal("not_found", requestId));
    log.info({ requestId, method, status: 404, code: "not_found" });
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const requestId = newRequestId();
    log.error({ requestId, error: faultOf(error) }, "internal");
    send(response, refusal("internal", requestId));
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
  if (request.headers.host === undefined && request.httpVersion === "1.1") return { answer: withoutHost(requestId) };
  const [path = "", search = ""] = request.url.split("?", 2);
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
    const asked: Asked = {
      span,
      operation,
      params: matched.found === "operation" ? matched.params : {},
      path,
      query: new URLSearchParams(search),
      body: mayHaveBody(request) ? await readBody(request, response) : noBody,
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
  return typeof route?.path === "string" ? baseUrl + route.path.replaceAll(/:(\w+)/g, "{$1}") : unknown;
}

/** At once, but for what is to be held open. @throws Error of the database or of its connection. */
function answerOnTime(asked: Asked, service: Service, response: Response): Promise<Answer> {
  const { operation, query } = asked;
  if (operation.stream) return performWatching(asked, service, response);
  if (operation.waits && query.has("wait")) return performWaiting(asked, service, response);
  return withinDeadline(perform(asked, service));
}

/** HTTP/1.1 asks for a Host, though nothing here depends on it. (RFC 9112, 3.2.) */
function withoutHost(requestId: string): Answer {
  return refusal("invalid_request", requestId, [{ path: "headers.host", message: "must be given" }]);
}

function mayHaveBody(request: IncomingMessage): boolean {
  return request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}

/**
 * Answers what Node's parser refuses before there is a request: the envelope, then the end of the connection.
 */
export function answerParserError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const path = error.code === "HPE_HEADER_OVERFLOW" ? "headers" : "request";
  const message =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "must be smaller than 16 KB altogether"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "must arrive in time"
        : "must be HTTP/1.1";
  const { status, headers, body } = refusal("invalid_request", newRequestId(), [{ path, message }]);
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}
