/** Buttons of operator actions, disabled for tokens of scope view. */

import type { ComponentChildren as Shown } from "preact";
import type { Fact } from "../../parts/page.tsx";
import type { Action, Values } from "../actions/action.ts";
import { canPerformActions } from "../session.ts";
import { openDialog } from "./action-dialog.tsx";

/** Harmless actions first; dangerous ones stand apart. */
export function actions(all: Action[], of: Values, present: Fact[]): Shown {
  if (all.length === 0) return null;
  const allowed = canPerformActions();
  const buttons = (dangerous: boolean) =>
    all
      .filter((action) => Boolean(action.dangerous) === dangerous)
      .map((action) => (
        <button
          key={action.title}
          type="button"
          class={dangerous ? "risky" : undefined}
          disabled={!allowed}
          onClick={() => openDialog({ action, of, present })}
        >
          {action.title}…
        </button>
      ));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div class="actions" role="group" aria-label="Actions">
      {buttons(false)}
      {all.some(({ dangerous }) => dangerous) && <span class="apart">{buttons(true)}</span>}
      {!allowed && <span class="quiet">Not permitted: your token can view only</span>}
    </div>
  );
}
