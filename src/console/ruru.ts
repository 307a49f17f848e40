/**
 * Ruru, for whoever wants to write a query by hand: its page with our policy, which admits the scripts that the page has
 * and no other, and with the token that a session's calls need.
 */
import "postgraphile";
import { createHash } from "node:crypto";
import type { Response } from "express";
import { csrfToken } from "./cookie.ts";
import { operatorOf } from "./router.ts";

const RuruPolicyPlugin: GraphileConfig.Plugin = {
  name: "ConsoleRuruPolicyPlugin",
  grafserv: {
    middleware: {
      async ruruHTML(next, event) {
        const response = responseOf(event.request.requestContext);
        const { session } = operatorOf(response);
        if (session !== undefined) {
          const headers = JSON.stringify(JSON.stringify({ "x-csrf-token": csrfToken(session) }));
          event.htmlParts.configScript += `<script>RURU_CONFIG.initialHeaders = ${headers};</script>`;
        }
        const html = await next();
        response.set("content-security-policy", policyFor(html));
        return html;
      },
    },
  },
};

function policyFor(html: string): string {
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(" ")}`,
    "style-src 'self' 'unsafe-inline'", // its editor makes its styles as it goes
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

export function responseOf(requestContext: object): Response {
  return (requestContext as { expressv4: { res: Response } }).expressv4.res;
}

export const consoleRuru: GraphileConfig.Preset = { plugins: [RuruPolicyPlugin] };
