/**
 * The revocation endpoint (RFC 7009): a client ends its key. The key itself is the proof, so it is the credential of the
 * operation. (docs/specification/oauth.md#revocation)
 */
import { Router } from "express";
import type { Ask } from "../../api/pages/ask.ts";
import { only } from "../../api/pages/methods.ts";
import { revokeOwnKey } from "../../contract/authorization-codes.ts";
import { failureOf, headers, refuse } from "./errors.ts";
import { formOf, readForm, valuesOf } from "./form-body.ts";

export function revocationPages(ask: Ask): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.post("/oauth/revoke", readForm, async (request, response) => {
    const form = formOf(request);
    if ("error" in form) return refuse(response, form);
    const values = valuesOf(form, ["token"]);
    if ("error" in values) return refuse(response, values);
    const { status, code } = await ask(revokeOwnKey, request, {}, values[0]);
    // An unknown token is revoked already, as far as the client can tell. (RFC 7009, 2.2)
    if (status === 200 || code === "unauthenticated") response.set(headers).json({});
    else refuse(response, failureOf(code));
  });
  router.all("/oauth/revoke", only("post"));
  return router;
}
