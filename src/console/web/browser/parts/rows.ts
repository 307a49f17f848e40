/** Cells that many tables have. */
import { html, type Shown } from "../html.ts";
import { shortId } from "./ids.ts";

export type Named = { id: string; name: string } | null | undefined;

export const toOrganisation = (organisation: Named): Shown =>
  organisation ? html`<a href=${`/organisations/${organisation.id}`}>${organisation.name}</a>` : "–";

/** @param kind as the address has it */
export const toThing = (
  kind: "runs" | "deliveries" | "endpoints" | "people" | "requests",
  id: string | null,
  words?: Shown,
): Shown => (id ? html`<a href=${`/${kind}/${id}`}>${words ?? html`<code>${shortId(id)}</code>`}</a>` : "–");

/** Ids have pages by what they are of, which the search knows. */
export const bySearch = (id: string | null | undefined): Shown =>
  id ? html`<a href=${`/search?q=${id}`}><code>${shortId(id)}</code></a>` : "–";

/** In place of a page: the address may be from before an erasure, or from another installation. */
export function gone(what: string, id = ""): Shown {
  return html`<h1 tabindex="-1">No such ${what}</h1>
    <p>There is no ${what} <code>${id}</code>. It may have been deleted, or be from another installation.</p>`;
}
