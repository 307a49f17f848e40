/** The address that a page of a mailed link leads to. */
import { type Html, html } from "../../web/layout.ts";

/** @param applicationUrl undefined: the service does not know the application */
export function onwardLink(applicationUrl: string | undefined): Html {
  return applicationUrl
    ? html`<p><a href="${applicationUrl}">Go to the application</a></p>`
    : html`<p>You can close this page.</p>`;
}
