/** Operations of the consent page and of the endpoints for tokens. They are not part of the API. (docs/specification/oauth.md) */
import { z } from "zod";
import { text, timestamp } from "./fields.ts";
import { keyScope } from "./key-fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";

/** The person of a portal session consents. The code is made before, so that SQL gets its digest. */
export const createAuthorizationCode = operation({
  name: "create_authorization_code",
  method: "post",
  path: "/portal/consent",
  keyClass: "portal_session",
  scope: "admin",
  inPerson: true,
  status: 201,
  summary: "Consent to a client",
  description: "The session must reach `create_key`.",
  body: z.object({
    clientId: text(9, 2048),
    keyName: name(60),
    redirectUri: text(8, 2048),
    codeChallenge: text(43, 43),
    resource: text(1, 2048),
    scope: keyScope,
    expiresInDays: z.int().min(1).max(365),
    codeDigest: text(64, 64),
  }),
  reply: z.object({ expiresAt: timestamp }),
});

/** A client exchanges a code. The key is made before, so that SQL gets its digest. */
export const exchangeAuthorizationCode = operation({
  name: "exchange_authorization_code",
  method: "post",
  path: "/oauth/token",
  keyClass: "authorization_code",
  scope: "read",
  status: 200,
  summary: "Exchange an authorization code",
  description: "Once for each code.",
  body: z.object({
    clientId: text(1, 2048),
    redirectUri: text(1, 2048),
    resource: text(1, 2048),
    codeVerifier: text(43, 128),
    prefix: text(12, 12),
    digest: text(64, 64),
  }),
  reply: z.union([
    z.object({ scope: keyScope, expiresAt: timestamp }),
    z.object({ error: z.enum(["invalid_grant", "invalid_target"]) }),
  ]),
});

/** A client ends its key, which is the credential. Repeating it changes nothing, so it needs no Idempotency-Key. */
export const revokeOwnKey = operation({
  name: "revoke_own_key",
  method: "delete",
  path: "/oauth/revoke",
  scope: "read",
  status: 200,
  summary: "Revoke a token",
  description: "The key of the request.",
  reply: z.object({}),
});
