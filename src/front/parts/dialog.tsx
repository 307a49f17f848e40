/** Dialogs on the native element, which keeps the focus inside and closes on Escape. */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Failure } from "./failure.tsx";
import { type Fact, Facts } from "./page.tsx";
import { partTexts } from "./texts.ts";

type DialogProps = {
  title: string;
  open: boolean;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons at the bottom, beside the button that closes. */
  actions?: ComponentChildren;
  /** All buttons at the bottom. */
  footer?: ComponentChildren;
  /** With it the content is a form, and the actions can hold its submit button. */
  onSubmit?: (form: FormData) => void;
  formRef?: RefObject<HTMLFormElement | null>;
};

export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ title, onClose, children, actions, footer, onSubmit, formRef }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [, setCloses] = useState(0);
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const element = dialog.current;
    return () => {
      const focused = document.activeElement;
      if (focused && focused !== document.body && !element?.contains(focused)) return; // the person went on
      if (opener?.isConnected) opener.focus();
      else document.querySelector<HTMLElement>("main h1")?.focus(); // the action removed its own button
    };
  }, []);
  // A browser closes it at a second Escape without asking. It opens again if it is kept.
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  });
  // At once: the event "close" comes later, and could close a dialog that was opened meanwhile.
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  const closed = () => {
    onClose();
    setCloses((last) => last + 1);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit?.(new FormData(event.currentTarget as HTMLFormElement));
  };
  const content = (
    <>
      <h2 id={id}>{title}</h2>
      {children}
      <footer>
        {footer ?? (
          <>
            <button type="button" onClick={onClose}>
              {actions ? partTexts.dialog.cancel : partTexts.dialog.close}
            </button>
            {actions}
          </>
        )}
      </footer>
    </>
  );
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={cancel} onClose={closed}>
      {onSubmit ? (
        <form ref={formRef ?? null} onSubmit={submit}>
          {content}
        </form>
      ) : (
        <div class="content">{content}</div>
      )}
    </dialog>
  );
}

type ConfirmProps = {
  /** `text` names the consequence, `action` is the button's. */
  words: { title: string; action: string; text: string };
  /** What the action changes or ends, with its present values. */
  present: Fact[];
  danger?: boolean;
  open: boolean;
  onClose: () => void;
  /** A rejection is shown in the dialog, which stays open. */
  onConfirm: () => Promise<unknown>;
};

export function ConfirmDialog({ words, present, danger = false, open, onClose, onConfirm }: ConfirmProps) {
  const { busy, error, run } = useAction();
  const confirm = async () => {
    if (await run(onConfirm)) onClose();
  };
  return (
    <Dialog
      title={words.title}
      open={open}
      onClose={onClose}
      onSubmit={confirm}
      actions={<SubmitButton text={words.action} danger={danger} busy={busy} />}
    >
      <Facts items={present} />
      <p>{words.text}</p>
      <Failure error={error} retry={null} />
    </Dialog>
  );
}

export function SubmitButton({ text, danger, busy }: { text: string; danger: boolean; busy: boolean }) {
  return (
    <button type="submit" class={danger ? "danger" : "main"} disabled={busy}>
      {busy ? partTexts.dialog.busy : text}
    </button>
  );
}

/** Runs one action at a time and keeps its failure. `run` resolves with true after success. */
export function useAction(): {
  busy: boolean;
  error: Error | undefined;
  run: (act: () => Promise<unknown>) => Promise<boolean>;
} {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const run = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
      return true;
    } catch (failure) {
      setError(failure as Error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run };
}
