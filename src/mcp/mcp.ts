/** An extension of the API: tools for agents, and how their clients get a key. (docs/mcp.md) */
import { Router } from "express";
import type { Extension } from "../api/extension.ts";
import { portalCookie } from "../portal/portal.ts";
import { mcpPages } from "./endpoint.ts";
import { oauthPages } from "./oauth/pages.ts";

export const mcp: Extension = {
  pages({ config, ask, serve, addressOf, arriving, rateLimiter, log }) {
    const oauth = oauthPages({ config, ask, cookie: portalCookie(config), rateLimiter, log });
    const endpoint = mcpPages({ serve, addressOf, arriving, baseUrl: config.baseUrl });
    return { handler: Router().use(endpoint, oauth.router), close: oauth.close };
  },
};
