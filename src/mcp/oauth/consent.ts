/**
 * The consent of a person to a client. A GET changes nothing. The document of the client is read only for a session that may
 * consent, so no other caller makes the service send a request. (docs/specification/oauth.md#consent)
 */
import { type Request, type Response, Router } from "express";
import type { Ask } from "../../api/pages/ask.ts";
import { readForm } from "../../api/pages/form.ts";
import { only } from "../../api/pages/methods.ts";
import { createAuthorizationCode } from "../../contract/authorization-codes.ts";
import { readOwnPortalSession } from "../../contract/portal-page.ts";
import { makeCredential } from "../../secrets/credentials.ts";
import { sendPage } from "../../web/layout.ts";
import type { RateLimiter } from "../../web/rate-limiter.ts";
import { csrfToken, isCsrfToken, type SessionCookie } from "../../web/session-cookie.ts";
import { type Client, type FindClient, keyNameOf } from "./client.ts";
import { type Consenting, consentPage, consentPath, lives, onwardPage, signInPage } from "./consent-page.ts";
import { resourceOf } from "./metadata.ts";
import { isFull, sendProblem, sendRefusal } from "./problems.ts";
import { isLoopback } from "./redirect-uri.ts";
import { type AuthorizationRequest, answerUri, parameter, redirectUriOf, requestOf } from "./request.ts";

export type ConsentParts = {
  ask: Ask;
  cookie: SessionCookie;
  findClient: FindClient;
  rateLimiter: RateLimiter;
  baseUrl: string;
  applicationUrl: string | undefined;
};

type Pending = { client: Client; authorization: AuthorizationRequest; session: string; who: Consenting };

export function consentPages(parts: ConsentParts): Router {
  const { ask, cookie, findClient, rateLimiter, baseUrl, applicationUrl } = parts;
  const router = Router({ strict: true, caseSensitive: true });

  // The browser comes from another site and brings no strict cookie. A page of this site leads on, so the next request has it.
  router.get("/oauth/authorize", (request, response) => {
    const query = queryOf(request);
    response.set("refresh", `0; url=${consentPath}?${query}`);
    sendPage(response, 200, onwardPage(query));
  });
  router.all("/oauth/authorize", only("get"));

  router.get(consentPath, async (request, response) => {
    const found = await ready(request, response);
    if (found) show(response, found);
  });
  router.post(
    consentPath,
    readForm("bsx", (request) => cookie.sessionOf(request) ?? ""),
    async (request, response) => {
      const { csrf, answer, name, scope, days } = (request.body ?? {}) as Record<string, unknown>;
      const session = cookie.sessionOf(request) ?? "";
      if (session !== "" && !isCsrfToken(String(csrf ?? ""), session)) return sendProblem(response, "forged");
      const found = await ready(request, response);
      if (!found) return;
      if (answer === "refuse") return leave(response, found, { error: "access_denied" });
      const { client, authorization } = found;
      const chosen = authorization.scopes.find((each) => each === scope);
      const expiresInDays = lives.find((each) => String(each) === days);
      if (answer !== "allow" || !chosen || !expiresInDays)
        return show(response, found, "Choose what it may do, and until when.");
      const keyName = keyNameOf(client);
      if (name !== keyName) return show(response, found, "The program has changed its name. Read the page again.");
      const code = makeCredential("bsc");
      const { redirectUri, codeChallenge } = authorization;
      const input = {
        ...{ clientId: client.id, keyName, redirectUri, codeChallenge, resource: resourceOf(baseUrl) },
        ...{ scope: chosen, expiresInDays, codeDigest: code.digest.toString("hex") },
      };
      const { status } = await ask(createAuthorizationCode, request, input, session);
      if (status !== 201) return sendRefusal(response, status, queryOf(request), applicationUrl);
      leave(response, found, { code: code.text });
    },
  );
  router.all(consentPath, only("get", "post"));
  return router;

  /** What the person decides. Undefined if a page was sent that says why there is nothing to decide. */
  async function ready(request: Request, response: Response): Promise<Pending | undefined> {
    const query = queryOf(request);
    const session = cookie.sessionOf(request);
    if (session === undefined) return void sendPage(response, 401, signInPage(query, applicationUrl));
    const { status, body } = await ask(readOwnPortalSession, request, {}, session);
    if (status !== 200) return void sendRefusal(response, status, query, applicationUrl);
    const who = JSON.parse(body) as Consenting;
    if (!who.operations.keys?.includes("create_key")) return void sendProblem(response, "notAllowed");
    if (!rateLimiter.consume(rateLimiter.ofClientDocuments(who.organisation.id)))
      return void sendProblem(response, "busy");
    const parameters = new URLSearchParams(query);
    const client = await findClient(parameter(parameters, "client_id") ?? "");
    delete response.locals.askedSince; // the client's server took this time, and not the database
    if ("problem" in client) return void sendProblem(response, "client", client.problem);
    const redirectUri = redirectUriOf(parameters, client);
    if (redirectUri === undefined) return void sendProblem(response, "redirect");
    const authorization = requestOf(parameters, redirectUri, resourceOf(baseUrl));
    const back = (error: string, error_description: string) =>
      answerUri(authorization, baseUrl, { error, error_description });
    if ("error" in authorization) {
      return void sendProblem(
        response,
        "request",
        authorization.description,
        back(authorization.error, authorization.description),
      );
    }
    if (isFull(who))
      return void sendProblem(response, "full", "", back("access_denied", "The organisation has no room for a key."));
    return { client, authorization, session, who };
  }

  function show(response: Response, { client, authorization, session, who }: Pending, complaint?: string): void {
    const { redirectUri } = authorization;
    const more = { csrf: csrfToken(session), ...(complaint === undefined ? {} : { complaint }) };
    const target = isLoopback(redirectUri) && redirectUri.includes("[") ? "http:" : new URL(redirectUri).origin; // a policy has no IPv6
    sendPage(response, complaint === undefined ? 200 : 400, consentPage(client, authorization, who, more), target);
  }

  function leave(response: Response, { authorization }: Pending, answer: Record<string, string>): void {
    response
      .status(303)
      .set({
        location: answerUri(authorization, baseUrl, answer),
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      })
      .end();
  }
}

/** As the client wrote it. */
const queryOf = ({ url }: Request): string => (url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
