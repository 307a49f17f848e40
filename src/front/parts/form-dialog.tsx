/** A dialog with a form. A refusal is shown in the dialog, beside the fields that it names. */
import type { ComponentChildren } from "preact";
import { ApiError } from "./api.ts";
import { Dialog, Failure, useAction } from "./dialog.tsx";

type FormDialogProps = {
  title: string;
  /** The text of the submit button. */
  action: string;
  danger?: boolean;
  onClose: () => void;
  /** A rejection keeps the dialog open. */
  onSubmit: (form: FormData) => Promise<unknown>;
  /** The fields. `errors` has a message by field of the request body. `busy`: from the submission to its end. */
  children: (errors: Record<string, string>, busy: boolean) => ComponentChildren;
};

/** Open while it is rendered. */
export function FormDialog({ title, action, danger = false, onClose, onSubmit, children }: FormDialogProps) {
  const { busy, error, run } = useAction();
  const submit = async (form: FormData) => {
    if (await run(() => onSubmit(form))) onClose();
  };
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      onSubmit={submit}
      actions={
        <button type="submit" class={danger ? "danger" : "main"} disabled={busy}>
          {busy ? "Working…" : action}
        </button>
      }
    >
      {children(error instanceof ApiError ? error.fields : {}, busy)}
      <Failure error={error} />
    </Dialog>
  );
}

/** The text of a field; empty if the form has no such field. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? "");

/** The values that differ from the present ones. */
export function changesOf<Values extends object>(values: Values, present: Values): Partial<Values> {
  const changed = Object.entries(values).filter(([name, value]) => value !== present[name as keyof Values]);
  return Object.fromEntries(changed) as Partial<Values>;
}
