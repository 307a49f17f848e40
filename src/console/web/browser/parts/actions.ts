/** Buttons of operator actions, disabled for tokens of scope view. */
import type { Action, Values } from "../actions/action.ts";
import { html, type Shown } from "../html.ts";
import { canPerformActions } from "../session.ts";
import { openDialog } from "./action-dialog.ts";

export function actions(all: Action[], of: Values, about: Shown): Shown {
  if (all.length === 0) return null;
  return html`<div class="actions" role="group" aria-label="Actions">
    ${all.map(
      (action) => html`<button
          key=${action.title}
          type="button"
          disabled=${!canPerformActions()}
          onClick=${(event: Event) => openDialog({ action, of, about, opener: event.currentTarget as HTMLElement })}
          >${action.title}…</button
        >`,
    )}
    ${!canPerformActions() && html`<span class="quiet">Not permitted: your token can view only</span>`}
  </div>`;
}
