/**
 * The token endpoint: a client exchanges its authorization code for an API key. The code is the credential, so a malformed or
 * unknown one counts for the caller's address, as any refused credential does. (docs/specification/oauth.md#exchange)
 */
import express, { type Response, Router } from "express";
import { exchangeAuthorizationCode } from "../../contract/authorization-codes.ts";
import type { RefusalCode } from "../../contract/refusals.ts";
import { makeCredential } from "../../secrets/credentials.ts";
import type { Ask } from "../pages/ask.ts";
import { only } from "../pages/methods.ts";

const readForm = express.text({ type: "application/x-www-form-urlencoded", limit: "16kb", inflate: false });

type Failure = { status: number; error: string; description: string };

export function tokenPages(ask: Ask): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.post("/oauth/token", readForm, async (request, response) => {
    const given = exchangeOf(typeof request.body === "string" ? request.body : "");
    if ("error" in given) return refuse(response, given);
    const key = makeCredential("bsk");
    const made = { prefix: key.prefix, digest: key.digest.toString("hex") };
    const { status, body, code } = await ask(
      exchangeAuthorizationCode,
      request,
      { ...given.input, ...made },
      given.code,
    );
    if (status !== 200) return refuse(response, failures[code ?? "unavailable"] ?? failures.unavailable);
    const exchanged = JSON.parse(body) as { error: string } | { scope: string; expiresAt: string };
    if ("error" in exchanged) return refuse(response, { status: 400, error: exchanged.error, description: notValid });
    const { scope, expiresAt } = exchanged;
    const seconds = Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000);
    response.set(headers).json({ access_token: key.text, token_type: "Bearer", expires_in: seconds, scope });
  });
  router.all("/oauth/token", only("post"));
  return router;
}

const headers = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" };

const notValid =
  "The code is unknown, used or expired, was made for another request, or its person may not create keys now.";

const unavailable = { status: 503, error: "temporarily_unavailable", description: "Try again soon." };

/** By the refusal of the operation. */
const failures: Partial<Record<RefusalCode, Failure>> & { unavailable: Failure } = {
  unauthenticated: { status: 400, error: "invalid_grant", description: notValid },
  invalid_request: { status: 400, error: "invalid_request", description: "A parameter is too long or too short." },
  quota_exceeded: {
    ...{ status: 400, error: "invalid_grant" },
    description: "The organisation has as many live keys as it may have. Revoke one, and connect again.",
  },
  rate_limited: { status: 429, error: "too_many_requests", description: "Try again in a minute." },
  unavailable,
};

const names = ["grant_type", "code", "client_id", "redirect_uri", "code_verifier", "resource"] as const;

function exchangeOf(text: string): Failure | { code: string; input: Record<string, string> } {
  const form = new URLSearchParams(text);
  const given = Object.fromEntries(names.map((name) => [name, form.getAll(name)]));
  if (given.grant_type?.[0] !== "authorization_code" && given.grant_type?.length === 1) {
    return { status: 400, error: "unsupported_grant_type", description: "The grant_type must be authorization_code." };
  }
  const wrong = names.find((name) => given[name]?.length !== 1 || given[name]?.[0] === "");
  if (wrong) return { status: 400, error: "invalid_request", description: `${wrong} is required, once.` };
  const [, code, clientId, redirectUri, codeVerifier, resource] = names.map((name) => String(given[name]?.[0]));
  return { code: code as string, input: { clientId, redirectUri, codeVerifier, resource } as Record<string, string> };
}

function refuse(response: Response, { status, error, description }: Failure): void {
  response.locals.code = error;
  response
    .status(status)
    .set(status === 429 ? { ...headers, "retry-after": "60" } : headers)
    .json({ error, error_description: description });
}
