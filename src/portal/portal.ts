/** An extension of the API: the portal, whose pages present a session by cookie. (docs/specification/portal.md) */

import type { Extension } from "../api/extension.ts";
import type { Config } from "../config.ts";
import { isCsrfToken, type SessionCookie, sessionCookie } from "../web/session-cookie.ts";
import { portalPages } from "./pages.ts";

/** Consent to a client of an agent is given in the portal's session too. */
export const portalCookie = (config: Config): SessionCookie =>
  sessionCookie({
    name: "botstead-portal",
    secure: config.baseUrl.startsWith("https:"),
    embedded: config.portalFrameAncestors.length > 0,
  });

export const portal: Extension = {
  pages: ({ config, ask }) => ({
    handler: portalPages({ ask, cookie: portalCookie(config), frameAncestors: config.portalFrameAncestors }),
  }),

  /** A write by cookie needs the CSRF token. */
  present(config) {
    const cookie = portalCookie(config);
    return (request) => {
      const session = cookie.sessionOf(request);
      if (session === undefined) return undefined;
      const isRead = request.method === "GET" || request.method === "HEAD";
      const token = request.headers["x-csrf-token"];
      const forged = !isRead && !isCsrfToken(Array.isArray(token) ? undefined : token, session);
      return { bearer: session, portalSession: true, forged };
    };
  },
};
