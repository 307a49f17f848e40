/** A dialog with a form. A refusal is shown in the dialog, beside the fields that it names. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./api.ts";
import { Dialog, SubmitButton, useAction } from "./dialog.tsx";
import { Failure } from "./failure.tsx";
import { type KeptValue, keepTyped, storedIn } from "./kept-values.ts";
import { partTexts } from "./texts.ts";

/** The edited resource: its revision, and a function that reads it again. */
export type Edited = { etag: string | null; reload: () => void };

type FormDialogProps = {
  title: string;
  /** The text of the submit button. */
  action: string;
  danger?: boolean;
  /** With it the dialog offers the new values if the resource changed meanwhile. */
  edited?: Edited | undefined;
  onClose: () => void;
  /** A rejection keeps the dialog open. */
  onSubmit: (form: FormData) => Promise<unknown>;
  /** The fields. `errors` has a message by field of the request body. `busy`: from the submission to its end. */
  children: (errors: Record<string, string>, busy: boolean) => ComponentChildren;
};

/** Open while it is rendered. */
export function FormDialog({ title, action, danger = false, edited, onClose, onSubmit, children }: FormDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  const { busy, error, run } = useAction();
  const { kept, keep } = useKept(form, edited?.etag);
  const isConflict = error instanceof ApiError && error.reason === "revision_changed";
  const submit = async (data: FormData) => {
    if (await run(() => onSubmit(data))) onClose();
  };
  const load = () =>
    run(async () => {
      keep();
      edited?.reload();
    });
  return (
    <Dialog
      title={title}
      open
      formRef={form}
      onClose={onClose}
      onSubmit={submit}
      actions={<SubmitButton text={action} danger={danger} busy={busy} />}
    >
      {children(error instanceof ApiError ? error.fields : {}, busy)}
      {kept && !error && <Kept values={kept} />}
      {isConflict ? (
        <div class="notice warn" role="alert">
          <p>{partTexts.form.conflict}</p>
          <button type="button" onClick={load}>
            {partTexts.form.load}
          </button>
        </div>
      ) : (
        <Failure error={error} retry={null} />
      )}
    </Dialog>
  );
}

function useKept(form: { current: HTMLFormElement | null }, etag: string | null | undefined) {
  const stored = useRef<ReturnType<typeof storedIn>>(undefined);
  const restore = useRef<() => KeptValue[]>(undefined);
  const [kept, setKept] = useState<KeptValue[]>();
  useEffect(() => {
    if (form.current) stored.current = storedIn(form.current);
  }, []);
  useLayoutEffect(() => {
    if (restore.current) setKept(restore.current());
    restore.current = undefined;
  }, [etag]);
  const keep = () => {
    if (form.current && stored.current) restore.current = keepTyped(form.current, stored.current);
  };
  return { kept, keep };
}

function Kept({ values }: { values: KeptValue[] }) {
  return (
    <div class="notice" role="status">
      <p>{partTexts.form.loaded}</p>
      {values.map(({ label, stored }) => (
        <p key={label}>
          {partTexts.form.storedNow(label)} <q>{stored}</q>
        </p>
      ))}
    </div>
  );
}

/** The text of a field; empty if the form has no such field. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? "");

/** The values that differ from the present ones. */
export function changesOf<Values extends object>(values: Values, present: Values): Partial<Values> {
  const changed = Object.entries(values).filter(([name, value]) => value !== present[name as keyof Values]);
  return Object.fromEntries(changed) as Partial<Values>;
}
