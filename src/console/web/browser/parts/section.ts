/** A section of a page with its heading. */
import { html, type Shown } from "../html.ts";

export function section(id: string, title: Shown, content: Shown, beside: Shown = null) {
  return html`<section class="panel" aria-labelledby=${id}>
    <header><h2 id=${id}>${title}</h2>${beside}</header>
    ${content}
  </section>`;
}
