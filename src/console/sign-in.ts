/** The sign-in page. It replaces any page until sign-in, then redirects back. It needs no script. */
import type { Request, Response } from "express";
import { html, page, pageHeaders } from "../web/layout.ts";
import { type Refusal, statusAndMessage } from "./refusal.ts";

/** The form must be sent with its origin, which distinguishes it from forms of other sites. */
const headers = { ...pageHeaders, "referrer-policy": "same-origin" };

/** Whether the client prefers HTML to JSON. */
export function wantsPage(request: Request): boolean {
  return request.accepts(["json", "html"]) === "html";
}

export function showSignIn(request: Request, response: Response, { code, headers: refusalHeaders }: Refusal): void {
  const show = (title: string, content: Parameters<typeof page>[1]) =>
    response.status(statusAndMessage(code).status).set(headers).set(refusalHeaders).end(page(title, content));
  if (code === "rate_limited") {
    show("Too many attempts", html`<p>Too many attempts from this address. Try again in a minute.</p>`);
    return;
  }
  // After a link on another site the browser omits the SameSite=Strict cookie. A reload from this page sends it.
  const site = request.get("sec-fetch-site");
  if (request.method === "GET" && (site === "cross-site" || site === "same-site")) {
    response.set("refresh", "0");
    show("Botstead console", html`<p>Loading.</p>`);
    return;
  }
  const form = request.body as { token?: unknown; to?: unknown } | undefined;
  const to = form ? localPath(form.to) : request.method === "GET" ? localPath(request.originalUrl) : "/";
  show(
    "Botstead console",
    html`<form method="post" action="/session">
        <label for="token">Operator token</label>
        <input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
        <input type="hidden" name="to" value="${to}">
        ${form ? html`<p role="alert">The token is invalid or expired.</p>` : html``}
        <button>Sign in</button>
      </form>
      <p class="quiet">Mint a token on the machine that runs Botstead:<br><code><span>npx botstead operator mint</span> <span>--name you</span> <span>--scope act</span></code></p>`,
  );
}

/** A path of this console; any other value becomes "/". */
export function localPath(to: unknown): string {
  const base = "http://console.invalid";
  if (typeof to !== "string" || !URL.canParse(to, base)) return "/";
  const { origin, pathname, search } = new URL(to, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search : "/";
}
