/**
 * The dialog of an operator action: consequence, fields, reason, result. It is a native dialog, which keeps the focus.
 * It is rendered outside the pages, because an action can remove its own button, row or page.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Action, mutationOf, type Values } from "../actions/action.ts";
import { type Failure, run } from "../graphql.ts";
import { html, type Shown } from "../html.ts";
import { failureText } from "../labels.ts";
import { refresh } from "../live.ts";
import { enteredValue, input } from "./fields.ts";

export type DialogRequest = {
  action: Action;
  /** Input that identifies the target. */
  of: Values;
  /** Description of the target. */
  about: Shown;
  /** Gets the focus back. */
  opener: HTMLElement;
};

const events = new EventTarget();

export function openDialog(request: DialogRequest): void {
  events.dispatchEvent(new CustomEvent("open", { detail: request }));
}

/** Renders the open dialog. */
export function Dialogs() {
  const [request, set] = useState<DialogRequest | undefined>(undefined);
  useEffect(() => {
    const open = (event: Event) => set((event as CustomEvent<DialogRequest>).detail);
    events.addEventListener("open", open);
    return () => events.removeEventListener("open", open);
  }, []);
  if (!request) return null;
  const close = () => {
    set(undefined);
    const back = request.opener.isConnected ? request.opener : document.querySelector<HTMLElement>("main h1");
    back?.focus();
  };
  return html`<${ActionDialog} ...${request} close=${close} />`;
}

type State = { step: "input" | "sending" } | { step: "refused"; failure: Failure } | { step: "done"; result: unknown };

function ActionDialog({ action, of, about, close }: DialogRequest & { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const notice = useRef<HTMLElement>(null);
  const [state, set] = useState<State>({ step: "input" });
  useEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  useEffect(() => notice.current?.focus(), [state.step]);
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const values = Object.fromEntries((action.fields ?? []).map((field) => [field.name, enteredValue(field, form)]));
    const input = { ...of, ...action.constants, ...values, reason: String(form.get("reason")).trim() };
    set({ step: "sending" });
    const reply = await run<Record<string, { result: unknown }>>(mutationOf(action), { input });
    if (reply.failure) set({ step: "refused", failure: reply.failure });
    else {
      set({ step: "done", result: reply.data[action.name]?.result });
      refresh();
    }
  };
  const title = html`<h2 id="dialog-title">${action.title}</h2>`;
  return html`<dialog ref=${dialog} aria-labelledby="dialog-title" onClose=${close}>
    ${
      state.step === "done"
        ? html`<div class="done">
            ${title}
            <div class="notice good" role="status" tabindex="-1" ref=${notice}>${action.done(state.result)}</div>
            <footer><button type="button" class="main" onClick=${() => dialog.current?.close()}>Close</button></footer>
          </div>`
        : html`<form onSubmit=${submit}>
            ${title}
            <p>${about}</p>
            <p class="quiet">${action.consequence}</p>
            ${action.fields?.map((field) => input(field))}
            <label
              >Reason
              <small>Logged with your token’s name.</small>
              <textarea name="reason" required minlength="3" maxlength="500"></textarea
            ></label>
            ${
              state.step === "refused" &&
              html`<div class="notice bad" role="alert" tabindex="-1" ref=${notice}>${failureText(state.failure)}</div>`
            }
            <footer>
              <button type="button" onClick=${() => dialog.current?.close()}>Cancel</button>
              <button type="submit" class=${action.dangerous ? "danger" : "main"} disabled=${state.step === "sending"}
                >${state.step === "sending" ? "Working…" : action.title}</button
              >
            </footer>
          </form>`
    }
  </dialog>`;
}
