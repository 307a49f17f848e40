/**
 * The dialog of an operator action: consequence, fields, reason, result. It is a native dialog, which keeps the focus.
 * It is rendered outside the pages, because an action can remove its own button, row or page.
 */

import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { OneTimeDialog } from "../../parts/one-time.tsx";
import type { Fact } from "../../parts/page.tsx";
import { type Action, mutationOf, type Values } from "../actions/action.ts";
import { type Failure, run } from "../graphql.ts";
import { failureText } from "../labels.ts";
import { refresh } from "../live.ts";
import { facts } from "./facts.tsx";
import { enteredValue, input } from "./fields.tsx";

export type DialogRequest = {
  action: Action;
  /** Input that identifies the target. */
  of: Values;
  /** The target with its present values. */
  present: Fact[];
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
  return <ActionDialog {...request} close={() => set(undefined)} />;
}

type State = { step: "input" | "sending" } | { step: "refused"; failure: Failure } | { step: "done"; result: unknown };

function ActionDialog({ action, of, present, close }: DialogRequest & { close: () => void }) {
  const notice = useRef<HTMLDivElement>(null);
  const [state, set] = useState<State>({ step: "input" });
  useEffect(() => notice.current?.focus(), [state.step]);
  const submit = async (form: FormData) => {
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
  if (state.step === "done") {
    if ("oneTime" in action)
      return <OneTimeDialog title={action.title} {...action.oneTime(state.result)} onClose={close} />;
    return (
      <Dialog title={action.title} open onClose={close}>
        <div class="notice good" role="status" tabIndex={-1} ref={notice}>
          {action.done(state.result)}
        </div>
      </Dialog>
    );
  }
  const labels = Object.fromEntries((action.fields ?? []).map(({ name, label }) => [name, label]));
  const button = (
    <button type="submit" class={action.dangerous ? "danger" : "main"} disabled={state.step === "sending"}>
      {state.step === "sending" ? "Working…" : action.title}
    </button>
  );
  return (
    <Dialog title={action.title} open onClose={close} onSubmit={submit} actions={button}>
      {facts([...present, ...(action.present ?? [])])}
      <p class="quiet">{action.consequence}</p>
      {action.fields?.map((field) => input(field))}
      <label>
        Reason
        <small>Logged with your token’s name.</small>
        <textarea name="reason" required minLength={3} maxLength={500} />
      </label>
      {state.step === "refused" && (
        <div class="notice bad" role="alert" tabIndex={-1} ref={notice}>
          {failureText(state.failure, labels)}
        </div>
      )}
    </Dialog>
  );
}
