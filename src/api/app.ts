/**
 * The HTTP application: operations, then pages. It answers unknown paths and failures.
 */
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from "express";
import type { RefusalCode } from "../contract/refusals.ts";
import { faultOf, type Log } from "../log.ts";
import type { RequestMetrics } from "../metrics/requests.ts";
import { bearerOf } from "../secrets/credentials.ts";
import type { CallerAddress } from "../web/head.ts";
import { type Answering, base } from "./perform.ts";
import { newRequestId } from "./request.ts";
import { refusal, send } from "./stages/respond.ts";

/** The route label of requests that match no route. */
export const unknownRoute = "unknown";

type Parts = {
  /** Handles requests below /api/v1. */
  operations: RequestHandler;
  /** Handlers for paths that are no operations. */
  pages: RequestHandler[];
  answering: Answering;
  addressOf: CallerAddress;
  metrics: RequestMetrics;
  log: Log;
};

/** Operations come first, in a single Express application: a layer before them would cost time in every call. */
export function makeApp({ operations, pages, answering, addressOf, metrics, log }: Parts): Express {
  const app = express().disable("x-powered-by").disable("etag").set("query parser", false);
  app.enable("case sensitive routing"); // otherwise changed case would bypass a proxy's rules for a path
  app.use(base, operations);
  app.use((request: Request, response: Response, next: NextFunction) => {
    const began = performance.now();
    response.locals.requestId = newRequestId();
    response.setHeader("x-request-id", response.locals.requestId);
    metrics.began();
    response.once("close", () => {
      const ms = performance.now() - began;
      metrics.ended(request.method, pageOf(request), response.statusCode, response.locals.code ?? "", ms);
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
    const mayAnswer = answering.mayAnswerUnknownPath(bearerOf(request), addressOf(request));
    refuse(request, response, mayAnswer ? "not_found" : "rate_limited");
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    // A path that cannot be decoded, or an invalid form, is the caller's error.
    const { status = 500, allow } = error as { status?: number; allow?: string };
    if (allow) return refuse(request, response, "not_supported", { allow });
    if (status < 500) return refuse(request, response, status === 413 ? "payload_too_large" : "not_found");
    const code = status === 503 ? "unavailable" : "internal"; // 503: the pages are not built
    log.error({ requestId: response.locals.requestId, error: faultOf(error) }, code);
    refuse(request, response, code);
  });
  return app;
}

/** The path template of the page that answered, with "{id}" where Express writes ":id". */
function pageOf({ route, baseUrl }: Request): string {
  return typeof route?.path === "string" ? baseUrl + route.path.replaceAll(/:(\w+)/g, "{$1}") : unknownRoute;
}
