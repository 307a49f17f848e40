/** Placeholders: loading, empty, failed. */
import { html, type Shown } from "../html.ts";
import type { Answer } from "../live.ts";

export function loading(lines = 3) {
  return html`<div class="loading" role="status" aria-label="Loading"
    >${Array.from({ length: lines }, (_, line) => html`<div key=${line} class="skeleton"></div>`)}</div
  >`;
}

export function empty(text: Shown) {
  return html`<p class="empty">${text}</p>`;
}

export function failed(message: string) {
  return html`<div class="notice bad" role="alert"><strong>Loading failed.</strong> ${message}</div>`;
}

/** Renders the data or the failure. After a failure the last data stays; the header shows its age. */
export function shown<Data>(answer: Answer<Data>, show: (data: Data) => Shown, lines = 3): Shown {
  if (answer.data !== undefined) {
    return answer.failure?.kind === "refused" ? [failed(answer.failure.message), show(answer.data)] : show(answer.data);
  }
  return answer.failure ? failed(answer.failure.message) : loading(lines);
}
