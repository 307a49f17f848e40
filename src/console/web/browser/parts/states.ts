/** What stands where there is nothing (yet): loading, empty, failed. Each says so in words. */

import { html, type Shown } from "../html.ts";
import type { Answer } from "../live.ts";

export function loading(lines = 3) {
  return html`<div class="loading" role="status" aria-label="Loading"
    >${Array.from({ length: lines }, (_, line) => html`<div key=${line} class="bone"></div>`)}</div
  >`;
}

export function empty(words: Shown) {
  return html`<p class="empty">${words}</p>`;
}

export function failed(words: string) {
  return html`<div class="notice bad" role="alert"><strong>This could not be shown.</strong> ${words}</div>`;
}

/** The data shown, or why there is none. What was there before a failure stays: the line at the top says how old it is. */
export function shown<Data>(answer: Answer<Data>, show: (data: Data) => Shown, lines = 3): Shown {
  if (answer.data !== undefined) {
    return answer.failure?.kind === "refused" ? [failed(answer.failure.words), show(answer.data)] : show(answer.data);
  }
  return answer.failure ? failed(answer.failure.words) : loading(lines);
}
