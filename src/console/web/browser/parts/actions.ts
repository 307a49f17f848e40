/** What can be done to a thing, as buttons; to whoever may not, they say so. */
import type { Action, Values } from "../actions/action.ts";
import { html, type Shown } from "../html.ts";
import { mayAct } from "../session.ts";
import { openDialog } from "./action-dialog.ts";

/** All that can be done to one thing. */
export function actions(all: Action[], of: Values, about: Shown): Shown {
  if (all.length === 0) return null;
  return html`<div class="actions" role="group" aria-label="Actions">
    ${all.map(
      (action) => html`<button
          key=${action.title}
          type="button"
          disabled=${!mayAct()}
          onClick=${(event: Event) => openDialog({ action, of, about, opener: event.currentTarget as HTMLElement })}
          >${action.title}…</button
        >`,
    )}
    ${!mayAct() && html`<span class="quiet">Not permitted: your token may look, not act</span>`}
  </div>`;
}
