/**
 * The token endpoint: a client exchanges its authorization code for an API key. The code is the credential, so a malformed or
 * unknown one counts for the caller's address, as any refused credential does. (docs/specification/oauth.md#exchange)
 */
import { type Request, Router } from "express";
import type { Ask } from "../../api/pages/ask.ts";
import { only } from "../../api/pages/methods.ts";
import { exchangeAuthorizationCode } from "../../contract/authorization-codes.ts";
import { makeCredential } from "../../secrets/credentials.ts";
import { type Failure, failureOf, headers, refuse } from "./errors.ts";
import { formOf, readForm, valuesOf } from "./form-body.ts";

export function tokenPages(ask: Ask): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.post("/oauth/token", readForm, async (request, response) => {
    const given = exchangeOf(request);
    if ("error" in given) return refuse(response, given);
    const key = makeCredential("bsk");
    const made = { prefix: key.prefix, digest: key.digest.toString("hex") };
    const { status, body, code } = await ask(
      exchangeAuthorizationCode,
      request,
      { ...given.input, ...made },
      given.code,
    );
    if (status !== 200) return refuse(response, code === "unauthenticated" ? invalidGrant : failureOf(code));
    const exchanged = JSON.parse(body) as { error: string } | { scope: string; expiresAt: string };
    if ("error" in exchanged) return refuse(response, { ...invalidGrant, error: exchanged.error });
    const { scope, expiresAt } = exchanged;
    const seconds = Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000);
    response.set(headers).json({ access_token: key.text, token_type: "Bearer", expires_in: seconds, scope });
  });
  router.all("/oauth/token", only("post"));
  return router;
}

const invalidGrant: Failure = {
  status: 400,
  error: "invalid_grant",
  description:
    "The code is unknown, used or expired, was made for another request, or its person may not create keys now.",
};

const names = ["grant_type", "code", "client_id", "redirect_uri", "code_verifier", "resource"] as const;

function exchangeOf(request: Request): Failure | { code: string; input: Record<string, unknown> } {
  const form = formOf(request);
  if ("error" in form) return form;
  const [grantType = "", another] = form.getAll("grant_type");
  if (grantType !== "" && another === undefined && grantType !== "authorization_code") {
    return { status: 400, error: "unsupported_grant_type", description: "The grant_type must be authorization_code." };
  }
  const values = valuesOf(form, names);
  if ("error" in values) return values;
  const [, code = "", clientId, redirectUri, codeVerifier, resource] = values;
  return { code, input: { clientId, redirectUri, codeVerifier, resource } };
}
