/**
 * Browser sessions. POST /session exchanges a token, from a form or as JSON {"token"}, for a session cookie. GET returns
 * the operator and the CSRF token. DELETE ends the session. (docs/console.md#access)
 */
import express, { type Request, type Response, Router } from "express";
import type { Pool } from "pg";
import { makeCredential } from "../secrets/credentials.ts";
import { csrfToken, isCsrfToken } from "../web/session-cookie.ts";
import type { Authentication, Operator } from "./authentication.ts";
import { consoleCookie, idleSeconds } from "./cookie.ts";
import { Refusal } from "./refusal.ts";
import { localPath } from "./sign-in.ts";

/** Small and uncompressed, because it is read before authentication. */
const bodyOptions = { limit: "4kb", inflate: false };

export function sessionRoutes(pool: Pool, authentication: Authentication, secure: boolean): Router {
  const router = Router();

  router.post(
    "/session",
    express.json(bodyOptions),
    express.urlencoded({ extended: false, ...bodyOptions }),
    async (request, response) => {
      const body = request.body as { token?: unknown; to?: unknown } | undefined;
      const text = typeof body?.token === "string" ? body.token.trim() : "";
      const operator = await authentication.admit(request, text, "bso");
      const session = makeCredential("bss");
      const { rows } = await pool.query<{ opened: boolean }>("select operator.open_session($1, $2) as opened", [
        operator.credential,
        session.digest,
      ]);
      if (!rows[0]?.opened) throw new Refusal("unauthenticated"); // revoked since admit()
      response.set("set-cookie", consoleCookie(secure).header(session.text, idleSeconds));
      if (request.is("application/x-www-form-urlencoded")) response.redirect(303, localPath(body?.to));
      else response.status(201).json(toJson({ ...operator, session: session.text }));
    },
  );

  router.get("/session", async (request, response) => {
    response.json(toJson(await browserOperator(request)));
  });

  router.delete("/session", async (request, response) => {
    const operator = await browserOperator(request);
    requireCsrf(request, operator);
    await pool.query("select operator.close_session($1)", [operator.credential]);
    response.set("set-cookie", consoleCookie(secure).header("", 0)).json({ ended: true });
  });

  async function browserOperator(request: Request): Promise<Operator> {
    const operator = await authentication.admitRequest(request);
    if (operator.session === undefined) throw new Refusal("not_found"); // a bearer token has no session
    return operator;
  }

  return router;
}

function toJson({ name, scope, expiresAt, session = "" }: Operator): object {
  return { name, scope, expiresAt, csrfToken: csrfToken(session) };
}

/** Requires the CSRF header for every write of a session, because pages of other sites cannot send it. */
export function requireCsrf(request: Request, { session }: Operator): void {
  if (session === undefined || ["GET", "HEAD"].includes(request.method)) return;
  if (!isCsrfToken(request.get("x-csrf-token"), session)) throw new Refusal("csrf");
}

/** Renews the cookie, so that it lives as long as the session. */
export function renewCookie(response: Response, { session }: Operator, secure: boolean): void {
  if (session !== undefined) response.set("set-cookie", consoleCookie(secure).header(session, idleSeconds));
}
