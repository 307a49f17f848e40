/** Routes of the console in order: public routes, sign-in, and routes for operators. */
import express, { type NextFunction, type Request, type RequestHandler, type Response } from "express";
import type { Pool } from "pg";
import { isOutage } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import type { Authentication, Operator } from "./authentication.ts";
import { showMissing } from "./missing.ts";
import { Refusal, refuse } from "./refusal.ts";
import { renewCookie, requireCsrf, sessionRoutes } from "./sessions.ts";
import { showSignIn, wantsPage } from "./sign-in.ts";
import { browserRules } from "./site.ts";

/** The operator of an authenticated request. */
export function operatorOf(response: Response): Operator {
  return response.locals.operator as Operator;
}

export type Routes = {
  pool: Pool;
  authentication: Authentication;
  /** URL of the console for browsers. */
  baseUrl: string;
  log: Log;
  /** Public routes, which check access themselves if needed. */
  open: RequestHandler[];
  /** Routes for operators. */
  inside: RequestHandler[];
};

export function makeConsoleApp({ pool, authentication, baseUrl, log, open, inside }: Routes): express.Express {
  const secure = baseUrl.startsWith("https:");
  const app = express().disable("x-powered-by").disable("etag").set("query parser", "simple");
  app.use(browserRules(baseUrl));
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  for (const route of open) app.use(route);
  app.use(sessionRoutes(pool, authentication, secure));
  app.use(async (request, response, next) => {
    const operator = await authentication.admitRequest(request);
    requireCsrf(request, operator);
    renewCookie(response, operator, secure);
    response.locals.operator = operator;
    next();
  });
  for (const route of inside) app.use(route);
  app.use(() => {
    throw new Refusal("not_found");
  });
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const refusal = refusalOf(error);
    if (refusal.code === "unavailable" || refusal.code === "internal") {
      log.error({ method: request.method, error: faultOf(error) }, refusal.code);
    }
    if (["unauthenticated", "rate_limited"].includes(refusal.code) && wantsPage(request)) {
      showSignIn(request, response, refusal);
    } else if (refusal.code === "not_found" && wantsPage(request)) showMissing(response);
    else refuse(response, refusal);
  });
  return app;
}

/** Errors of body-parser have a status. All others are outages or bugs. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { status } = error as { status?: number };
  if (status === 413) return new Refusal("payload_too_large");
  if (status !== undefined && status < 500) return new Refusal("invalid_request");
  return new Refusal(status === 503 || isOutage(error) ? "unavailable" : "internal");
}
