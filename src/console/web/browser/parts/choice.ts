/** Filters: each choice is a link, so it is in the address, in the history, and under the keyboard. */
import { html } from "../html.ts";
import { hereWith } from "../place.ts";

/** @param chosen as the address has it; null is the first */
export function choice(label: string, name: string, options: [value: string, words: string][], chosen: string | null) {
  const current = chosen ?? options[0]?.[0];
  return html`<nav class="choice" aria-label=${label}>
    ${options.map(
      ([value, words], index) =>
        html`<a
          key=${value}
          href=${hereWith({ [name]: index === 0 ? undefined : value })}
          aria-current=${value === current ? "true" : undefined}
          >${words}</a
        >`,
    )}
  </nav>`;
}
