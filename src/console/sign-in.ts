/**
 * The page on which a browser signs in, shown in place of whatever it asked for and leading back there. It needs no
 * script.
 */
import type { Request, Response } from "express";
import { html, page, pageHeaders } from "../http/pages/layout.ts";
import { type Refusal, worded } from "./refusal.ts";

/** Without the origin that a form is sent with, one could not be told from another site's. */
const headers = { ...pageHeaders, "referrer-policy": "same-origin" };

/** Whether a person's browser asks for a page, so that a page is what it gets. */
export function wantsPage(request: Request): boolean {
  return request.accepts(["json", "html"]) === "html";
}

export function showSignIn(request: Request, response: Response, { code, headers: said }: Refusal): void {
  const show = (title: string, content: Parameters<typeof page>[1]) =>
    response.status(worded(code).status).set(headers).set(said).end(page(title, content));
  if (code === "rate_limited") {
    show("One moment", html`<p>There were many tries from here. Try again in a minute.</p>`);
    return;
  }
  // Who follows a link from elsewhere comes without the cookie, even if signed in. Asked for again from here, it is sent.
  const site = request.get("sec-fetch-site");
  if (request.method === "GET" && (site === "cross-site" || site === "same-site")) {
    response.set("refresh", "0");
    show("Botstead console", html`<p>One moment.</p>`);
    return;
  }
  const form = request.body as { token?: unknown; to?: unknown } | undefined;
  const to = form ? placeIn(form.to) : request.method === "GET" ? placeIn(request.originalUrl) : "/";
  show(
    "Botstead console",
    html`<form method="post" action="/session">
        <label for="token">An operator's token</label>
        <input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
        <input type="hidden" name="to" value="${to}">
        ${form ? html`<p role="alert">That is no token of this console, or it has ended.</p>` : html``}
        <button>Sign in</button>
      </form>
      <p class="quiet">A token is made where Botstead runs: <code>npx botstead operator mint --name you --scope act</code></p>`,
  );
}

/** A path of this console to go to; anything else leads to its first page. */
export function placeIn(to: unknown): string {
  const base = "http://console.invalid";
  if (typeof to !== "string" || !URL.canParse(to, base)) return "/";
  const { origin, pathname, search } = new URL(to, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search : "/";
}
