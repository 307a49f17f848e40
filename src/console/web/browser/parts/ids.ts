/** Ids: short to look at, whole to take along. */
import { useState } from "preact/hooks";
import { html } from "../html.ts";

/** The end of it, since ids begin with their time and those made together begin alike. */
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
