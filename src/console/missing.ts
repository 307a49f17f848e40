/** The page that browsers get for an unknown path. */
import type { Response } from "express";
import { html, page, pageHeaders } from "../web/layout.ts";

export function showMissing(response: Response): void {
  const content = html`<p>The console has no page at this address.</p><p><a href="/">Go to the overview</a></p>`;
  response.status(404).set(pageHeaders).end(page("No such page", content));
}
