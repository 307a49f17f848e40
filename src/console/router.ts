/**
 * The ways into the console, in the order in which they are tried: what is open to everybody, how one signs in, and
 * behind the door everything else.
 */
import express, { type NextFunction, type Request, type RequestHandler, type Response } from "express";
import type { Pool } from "pg";
import { isOutage } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import type { Admission, Operator } from "./admission.ts";
import { Refusal, refuse } from "./refusal.ts";
import { demandCsrf, keepSession, sessionRoutes } from "./sessions.ts";
import { showSignIn, wantsPage } from "./sign-in.ts";
import { siteWalls } from "./site.ts";

/** The operator behind a request that came through the door. */
export function operatorOf(response: Response): Operator {
  return response.locals.operator as Operator;
}

export type Ways = {
  pool: Pool;
  admission: Admission;
  /** Where browsers find the console. */
  baseUrl: string;
  log: Log;
  /** Ways that say themselves who may come. */
  open: RequestHandler[];
  /** Ways for operators alone. */
  inside: RequestHandler[];
};

export function makeConsoleApp({ pool, admission, baseUrl, log, open, inside }: Ways): express.Express {
  const secure = baseUrl.startsWith("https:");
  const app = express().disable("x-powered-by").disable("etag").set("query parser", "simple");
  app.use(siteWalls(baseUrl));
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  for (const way of open) app.use(way);
  app.use(sessionRoutes(pool, admission, secure));
  app.use(async (request, response, next) => {
    const operator = await admission.admitRequest(request);
    demandCsrf(request, operator);
    keepSession(response, operator, secure);
    response.locals.operator = operator;
    next();
  });
  for (const way of inside) app.use(way);
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
    } else refuse(response, refusal);
  });
  return app;
}

/** What body-parser throws has a status of its own; whatever else is no refusal is an outage, or a fault of ours. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { status } = error as { status?: number };
  if (status === 413) return new Refusal("payload_too_large");
  if (status !== undefined && status < 500) return new Refusal("invalid_request");
  return new Refusal(isOutage(error) ? "unavailable" : "internal");
}
