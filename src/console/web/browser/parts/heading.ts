/** The heading of a page, which is also the document title. */
import { useEffect } from "preact/hooks";
import { html, type Shown } from "../html.ts";

type Props = { title: string; kind?: string; beside?: Shown; children?: Shown };

export function Heading({ title, kind, beside, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Botstead console`;
  }, [title]);
  return html`<div class="heading">
    <div
      >${kind && html`<p class="kind">${kind}</p>`}
      <h1 tabindex="-1">${title}</h1>
      ${children}</div
    >
    ${beside && html`<div class="beside">${beside}</div>`}
  </div>`;
}
