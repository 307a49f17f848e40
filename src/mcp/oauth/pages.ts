/** OAuth for MCP clients: metadata, consent and the exchange of a code for an API key. (docs/specification/oauth.md) */
import { Router } from "express";
import type { Ask } from "../../api/pages/ask.ts";
import { targetsOf } from "../../config/outbound.ts";
import type { Config } from "../../config.ts";
import type { DocumentReader } from "../../delivery/read-document.ts";
import type { Log } from "../../log.ts";
import type { RateLimiter } from "../../web/rate-limiter.ts";
import type { SessionCookie } from "../../web/session-cookie.ts";
import { clientFinder } from "./client.ts";
import { consentPages } from "./consent.ts";
import { oauthErrors } from "./errors.ts";
import { metadataPages } from "./metadata.ts";
import { revocationPages } from "./revocation.ts";
import { tokenPages } from "./token.ts";

type Parts = { config: Config; ask: Ask; cookie: SessionCookie; rateLimiter: RateLimiter; log: Log };

export function oauthPages(parts: Parts): { router: Router; close(): Promise<void> } {
  const { config, ask, cookie, rateLimiter, log } = parts;
  const { baseUrl, applicationUrl, webhooks } = config;
  let reading: Promise<DocumentReader> | undefined;
  /** Loaded with the first client: most processes never need it. */
  const readerOf = () =>
    (reading ??= import("../../delivery/read-document.ts").then(({ createDocumentReader }) =>
      createDocumentReader({
        ...webhooks,
        onProxyFailure: (reason) =>
          log.warn({ reason }, "the proxy of WEBHOOK_PROXY refused a connection to an MCP client"),
      }),
    ));
  const findClient = clientFinder(readerOf, targetsOf(config));
  return {
    router: Router({ strict: true, caseSensitive: true }).use(
      metadataPages(baseUrl),
      consentPages({ ask, cookie, findClient, rateLimiter, baseUrl, applicationUrl }),
      tokenPages(ask),
      revocationPages(ask),
      oauthErrors(log),
    ),
    close: async () => (await reading)?.close(),
  };
}
