/**
 * The dialog of an action: it says what will happen, asks what it needs and for the reason that is written down, and tells
 * what came of it. It is the browser's own, and holds the focus. It stands beside the pages and not in one, because what
 * is done may take its button, its row or its page away.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Action, mutationOf, type Values } from "../actions/action.ts";
import { type Failure, say } from "../graphql.ts";
import { html, type Shown } from "../html.ts";
import { askAgain } from "../live.ts";
import { plainly } from "../words.ts";
import { givenIn, input } from "./fields.ts";

export type Asked = {
  action: Action;
  /** What it is done to. */
  of: Values;
  /** In words, for whoever is asked to confirm. */
  about: Shown;
  /** To where the focus goes back. */
  opener: HTMLElement;
};

const asking = new EventTarget();

export function openDialog(asked: Asked): void {
  asking.dispatchEvent(new CustomEvent("asked", { detail: asked }));
}

/** Where the dialogs stand. */
export function Dialogs() {
  const [asked, set] = useState<Asked | undefined>(undefined);
  useEffect(() => {
    const open = (event: Event) => set((event as CustomEvent<Asked>).detail);
    asking.addEventListener("asked", open);
    return () => asking.removeEventListener("asked", open);
  }, []);
  if (!asked) return null;
  const close = () => {
    set(undefined);
    const back = asked.opener.isConnected ? asked.opener : document.querySelector<HTMLElement>("main h1");
    back?.focus();
  };
  return html`<${ActionDialog} ...${asked} close=${close} />`;
}

type State = { step: "asked" | "doing" } | { step: "refused"; failure: Failure } | { step: "done"; result: unknown };

function ActionDialog({ action, of, about, close }: Asked & { close: () => void }) {
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
            ${action.fields?.map((field) => input(field))}
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
              <button type="button" onClick=${() => dialog.current?.close()}>Back</button>
              <button type="submit" class=${action.dangerous ? "danger" : "main"} disabled=${state.step === "doing"}
                >${state.step === "doing" ? "Working…" : action.title}</button
              >
            </footer>
          </form>`
    }
  </dialog>`;
}
