/**
 * An action: a button, and the dialog that says what will happen, asks what it needs and for the reason that the trail
 * keeps, and tells what came of it. The dialog is the browser's own: it holds the focus, and gives it back to the button.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Action, mutationOf, type Values } from "../actions/action.ts";
import { type Failure, say } from "../graphql.ts";
import { html, type Shown } from "../html.ts";
import { askAgain } from "../live.ts";
import { mayAct } from "../session.ts";
import { plainly } from "../words.ts";
import { givenIn, input } from "./fields.ts";

type Props = {
  action: Action;
  /** What it is done to. */
  of: Values;
  /** In words, for whoever is asked to confirm. */
  about: Shown;
  /** What fields begin with. */
  begin?: Values;
};

export function Act({ action, of, about, begin }: Props) {
  const [open, set] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    set(false);
    button.current?.focus();
  };
  const may = mayAct();
  return html`<button
      type="button"
      ref=${button}
      disabled=${!may}
      title=${may ? undefined : "Your token may look, and not act"}
      onClick=${() => set(true)}
      >${action.title}…</button
    >${open && html`<${ActionDialog} action=${action} of=${of} about=${about} begin=${begin} close=${close} />`}`;
}

type State = { step: "asked" | "doing" } | { step: "refused"; failure: Failure } | { step: "done"; result: unknown };

function ActionDialog({ action, of, about, begin = {}, close }: Props & { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const told = useRef<HTMLElement>(null);
  const [state, set] = useState<State>({ step: "asked" });
  useEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  useEffect(() => told.current?.focus(), [state.step]);
  const act = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const given = Object.fromEntries((action.fields ?? []).map((field) => [field.name, givenIn(field, form)]));
    const input = { ...of, ...action.always, ...given, reason: String(form.get("reason")).trim() };
    set({ step: "doing" });
    const reply = await say<Record<string, { result: unknown }>>(mutationOf(action), { input });
    if (reply.failure) set({ step: "refused", failure: reply.failure });
    else {
      set({ step: "done", result: reply.data[action.name]?.result });
      askAgain();
    }
  };
  const title = html`<h2 id="dialog-title">${action.title}</h2>`;
  return html`<dialog ref=${dialog} aria-labelledby="dialog-title" onClose=${close}>
    ${
      state.step === "done"
        ? html`<div class="done">
            ${title}
            <div class="notice good" role="status" tabindex="-1" ref=${told}>${action.done(state.result)}</div>
            <footer><button type="button" class="main" onClick=${() => dialog.current?.close()}>Close</button></footer>
          </div>`
        : html`<form onSubmit=${act}>
            ${title}
            <p>${about}</p>
            <p class="quiet">${action.consequence}</p>
            ${action.fields?.map((field) => input(field, begin[field.name]))}
            <label
              >Reason
              <small>Kept in the trail, with your name.</small>
              <textarea name="reason" required minlength="3" maxlength="500"></textarea
            ></label>
            ${
              state.step === "refused" &&
              html`<div class="notice bad" role="alert" tabindex="-1" ref=${told}>${plainly(state.failure)}</div>`
            }
            <footer>
              <button type="button" onClick=${() => dialog.current?.close()}>Cancel</button>
              <button type="submit" class=${action.dangerous ? "danger" : "main"} disabled=${state.step === "doing"}
                >${state.step === "doing" ? "Working…" : action.title}</button
              >
            </footer>
          </form>`
    }
  </dialog>`;
}

/** All that can be done to one thing. */
export function actions(all: Action[], of: Values, about: Shown, begin?: Values): Shown {
  if (all.length === 0) return null;
  return html`<div class="actions" role="group" aria-label="Actions">
    ${all.map((action) => html`<${Act} key=${action.title} action=${action} of=${of} about=${about} begin=${begin} />`)}
    ${!mayAct() && html`<span class="quiet">Not permitted: your token may look, not act</span>`}
  </div>`;
}
