/**
 * Security headers of every response, and checks of Host and Origin. They stop requests from pages of other sites,
 * including DNS rebinding, where such a page gives the console a host name of its own.
 */
import { isIP } from "node:net";
import type { NextFunction, Request, Response } from "express";
import { Refusal } from "./refusal.ts";

const headers = {
  "cache-control": "no-store",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "x-robots-tag": "noindex",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** @param baseUrl URL of the console for browsers */
export function browserRules(baseUrl: string) {
  const { host: ownHost, protocol } = new URL(baseUrl);
  const secure = protocol === "https:" ? { "strict-transport-security": "max-age=31536000" } : {};
  return (request: Request, response: Response, next: NextFunction): void => {
    response.set({ ...headers, ...secure });
    const { host = "", origin } = request.headers;
    // DNS rebinding needs a host name, so IP addresses are safe.
    if (host !== ownHost && !isAddress(host) && !/^localhost(:\d+)?$/.test(host)) throw new Refusal("misdirected");
    const site = request.headers["sec-fetch-site"];
    const foreign = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
    // A link on another site is allowed; SameSite withholds the cookie.
    const followed = request.method === "GET" && request.headers["sec-fetch-mode"] === "navigate";
    if (foreign || (site !== undefined && !["same-origin", "none"].includes(String(site)) && !followed)) {
      throw new Refusal("cross_site");
    }
    next();
  };
}

function isAddress(host: string): boolean {
  const name = host.replace(/:\d+$/, "");
  return isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}
