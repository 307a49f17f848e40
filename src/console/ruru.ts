/** Ruru, the GraphQL editor, with a content security policy for its own scripts and the CSRF token of the session. */
import "postgraphile/grafserv";
import { createHash } from "node:crypto";
import type { Response } from "express";
import { csrfToken } from "../web/session-cookie.ts";
import { operatorOf } from "./router.ts";

export const RuruPolicyPlugin: GraphileConfig.Plugin = {
  name: "ConsoleRuruPolicyPlugin",
  grafserv: {
    middleware: {
      async ruruHTML(next, event) {
        const response = responseOf(event.request.requestContext);
        const { session } = operatorOf(response);
        if (session !== undefined) event.htmlParts.configScript += `<script>${csrfScript(csrfToken(session))}</script>`;
        const html = await next();
        response.set({ "content-security-policy": policyFor(html), "x-frame-options": "SAMEORIGIN" });
        return html;
      },
    },
  },
};

/** Script that adds the token to every request. The editor's headers are set too late for the schema request. */
function csrfScript(token: string): string {
  return `
    const send = window.fetch;
    window.fetch = (target, options) => {
      const request = new Request(target, options);
      request.headers.set("x-csrf-token", ${JSON.stringify(token)});
      return send(request);
    };
  `;
}

function policyFor(html: string): string {
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(" ")}`,
    "style-src 'self' 'unsafe-inline'", // the editor creates styles at run time
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ].join("; ");
}

export function responseOf(requestContext: object): Response {
  return (requestContext as { expressv4: { res: Response } }).expressv4.res;
}
