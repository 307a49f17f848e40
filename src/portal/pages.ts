/**
 * The portal: one document for all its routes, and the exchange of a link's token for the session cookie. Its data comes from
 * the operations. (docs/specification/portal.md)
 */
import express, { Router } from "express";
import type { Ask } from "../api/pages/ask.ts";
import { only } from "../api/pages/methods.ts";
import { refusal, send } from "../api/stages/respond.ts";
import { openPortal } from "../contract/portal-page.ts";
import { makeCredential } from "../secrets/credentials.ts";
import { frontDocument, frontFiles, frontPolicy } from "../web/front/programs.ts";
import { csrfToken, type SessionCookie } from "../web/session-cookie.ts";

const paths = ["/portal", "/portal/{*path}"];
const readToken = express.json({ limit: "4kb", inflate: false });

type Parts = {
  ask: Ask;
  cookie: SessionCookie;
  /** Origins of the pages that may embed the portal. */
  frameAncestors: string[];
};

export function portalPages({ ask, cookie, frameAncestors }: Parts): Router {
  const headers = {
    "content-security-policy": frontPolicy(frameAncestors),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
  };
  const router = Router({ strict: true, caseSensitive: true });
  router.use(frontFiles());

  // Each link makes a new session, so that no caller can know its secret before (session fixation).
  router.post("/portal/enter", readToken, async (request, response) => {
    const { token } = (request.body ?? {}) as Record<string, unknown>;
    const session = makeCredential("bsx");
    const given = typeof token === "string" ? token : "";
    const { status, body } = await ask(openPortal, request, { sessionDigest: session.digest.toString("hex") }, given);
    response.set("cache-control", "no-store");
    if (status !== 200) {
      response.status(status).type("json").end(body);
      return;
    }
    const { expiresAt } = JSON.parse(body) as { expiresAt: string };
    const seconds = Math.ceil((Date.parse(expiresAt) - Date.now()) / 1_000);
    response.set("set-cookie", cookie.header(session.text, seconds)).json({ csrfToken: csrfToken(session.text) });
  });
  router.all("/portal/enter", only("post"));

  router.get("/portal/csrf", (request, response) => {
    const session = cookie.sessionOf(request);
    response.set("cache-control", "no-store");
    if (session === undefined) send(response, refusal("unauthenticated", response.locals.requestId));
    else response.json({ csrfToken: csrfToken(session) });
  });
  router.all("/portal/csrf", only("get"));

  router.get(paths, async (_request, response) => {
    response
      .set(headers)
      .type("html")
      .end(await frontDocument("portal/main.tsx", "Portal"));
  });
  router.all(paths, only("get"));
  return router;
}
