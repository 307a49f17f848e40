/** Ids: shortened in tables, with a copy button on pages. */
import { useState } from "preact/hooks";
import { html } from "../html.ts";

/** The end of the id: ids start with their time, so the start is similar for neighbours. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export function Id({ id }: { id: string }) {
  const [copied, set] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(id);
    set(true);
    setTimeout(() => set(false), 1_500);
  };
  return html`<span class="id"
    ><code>${id}</code
    ><button type="button" class="copy" onClick=${copy} aria-label=${`Copy ${id}`}>${copied ? "Copied" : "Copy"}</button
  ></span>`;
}
