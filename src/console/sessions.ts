/**
 * Signing in: a browser gives a token and gets a session for it, in a cookie. (docs/console.md.)
 *
 * POST /session opens one, by a form or as JSON {"token"}; GET tells whose it is and the token against forged calls;
 * DELETE ends it.
 */
import express, { type Request, type Response, Router } from "express";
import type { Pool } from "pg";
import { makeCredential } from "../secrets/credentials.ts";
import type { Admission, Operator } from "./admission.ts";
import { cookie, csrfToken, isCsrfToken } from "./cookie.ts";
import { Refusal } from "./refusal.ts";
import { placeIn } from "./sign-in.ts";

const small = { limit: "4kb" };

export function sessionRoutes(pool: Pool, admission: Admission, secure: boolean): Router {
  const router = Router();

  router.post(
    "/session",
    express.json(small),
    express.urlencoded({ extended: false, ...small }),
    async (request, response) => {
      const given = request.body as { token?: unknown; to?: unknown } | undefined;
      const text = typeof given?.token === "string" ? given.token.trim() : "";
      const operator = await admission.admit(request, text, "bso");
      const session = makeCredential("bss");
      const { rows } = await pool.query<{ opened: boolean }>("select operator.open_session($1, $2) as opened", [
        operator.credential,
        session.digest,
      ]);
      if (!rows[0]?.opened) throw new Refusal("unauthenticated"); // revoked this instant
      response.set("set-cookie", cookie(session.text, secure));
      if (request.is("application/x-www-form-urlencoded")) response.redirect(303, placeIn(given?.to));
      else response.status(201).json(shown({ ...operator, session: session.text }));
    },
  );

  router.get("/session", async (request, response) => {
    response.json(shown(await ofBrowser(request)));
  });

  router.delete("/session", async (request, response) => {
    const operator = await ofBrowser(request);
    demandCsrf(request, operator);
    await pool.query("select operator.close_session($1)", [operator.credential]);
    response.set("set-cookie", cookie("", secure)).json({ ended: true });
  });

  async function ofBrowser(request: Request): Promise<Operator> {
    const operator = await admission.admitRequest(request);
    if (operator.session === undefined) throw new Refusal("not_found"); // a bearer has no session
    return operator;
  }

  return router;
}

function shown({ name, scope, expiresAt, session = "" }: Operator): object {
  return { name, scope, expiresAt, csrfToken: csrfToken(session) };
}

/** What a page of another site could make a browser send is refused: anything but reading asks for a header too. */
export function demandCsrf(request: Request, { session }: Operator): void {
  if (session === undefined || ["GET", "HEAD"].includes(request.method)) return;
  if (!isCsrfToken(request.get("x-csrf-token"), session)) throw new Refusal("csrf");
}

/** A browser that uses its session keeps it: the cookie lives as long as the session does. */
export function keepSession(response: Response, { session }: Operator, secure: boolean): void {
  if (session !== undefined) response.set("set-cookie", cookie(session, secure));
}
