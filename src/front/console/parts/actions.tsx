/** Buttons of operator actions, disabled for tokens of scope view. */

import type { ComponentChildren as Shown } from "preact";
import { MoreMenu } from "../../parts/more-menu.tsx";
import type { Fact } from "../../parts/page.tsx";
import type { Action, Values } from "../actions/action.ts";
import { canPerformActions } from "../session.ts";
import { openDialog } from "./action-dialog.tsx";

/** Harmless actions first; dangerous ones stand apart. Of more than three, two are shown and the others are in a menu. */
export function actions(all: Action[], of: Values, present: Fact[]): Shown {
  if (all.length === 0) return null;
  const allowed = canPerformActions();
  const button = (action: Action) => (
    <button
      key={action.title}
      type="button"
      class={action.dangerous ? "risky" : undefined}
      disabled={!allowed}
      onClick={() => openDialog({ action, of, present })}
    >
      {action.title}…
    </button>
  );
  const harmless = all.filter(({ dangerous }) => !dangerous).map(button);
  const dangerous = all.filter((action) => action.dangerous).map(button);
  const apart = dangerous.length > 0 && <span class="apart">{dangerous}</span>;
  const isLong = all.length > 3;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div class="actions" role="group" aria-label="Actions">
      {isLong ? harmless.slice(0, 2) : harmless}
      {isLong ? (
        <MoreMenu>
          {harmless.slice(2)}
          {apart}
        </MoreMenu>
      ) : (
        apart
      )}
      {!allowed && <span class="quiet">Not permitted: your token can view only</span>}
    </div>
  );
}
