/** Pause, edit, rotate and delete of what gets signed requests: an endpoint, or the stream of the audit log. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api } from "../parts/api.ts";
import { ConfirmDialog } from "../parts/dialog.tsx";
import { MoreMenu } from "../parts/more-menu.tsx";
import type { Fact } from "../parts/page.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { showEndpointSecret } from "./endpoint-secret.tsx";
import type { Receiver } from "./endpoint-state.tsx";
import { OperationButton } from "./operation-button.tsx";

type Done = { button: string; done: string };
type Confirmed = { button: string; title: string; text: string; action: string };
type Open = "edit" | "rotate" | "remove";

type Props = {
  receiver: Receiver;
  path: string;
  operations: { update: string; rotate: string; remove: string };
  words: { pause: Done; resume: Done; enable: Done; edit: Done; rotate: Confirmed; remove: Confirmed & Done };
  /** The values that the dialogs show. */
  present: Fact[];
  /** The dialog that edits it. `save` sends the changes. */
  form: (onClose: () => void, save: (changes: object) => Promise<void>) => ComponentChildren;
  /** The etag of the edited revision. */
  etag: string | null;
  /** Called after a change. */
  changed: () => void;
  /** Called after the deletion. */
  removed: () => void;
  /** A button beside "Edit". */
  beside?: ComponentChildren;
  /** A button in the menu. */
  more?: ComponentChildren;
};

export function ReceiverActions(props: Props) {
  const { receiver, path, operations, words, present, form, etag, changed, removed, beside, more } = props;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const isActive = receiver.state === "active";
  const isLost = receiver.secretLostSince !== null;
  const update = async (changes: object, done: string, options = {}) => {
    await api("PATCH", path, changes, options);
    toast(done);
    changed();
  };
  const button = (name: Open) => (
    <OperationButton
      operation={operations[name === "edit" ? "update" : name]}
      kind={name === "remove" ? "risky" : undefined}
      onClick={() => setOpen(name)}
    >
      {words[name].button}
    </OperationButton>
  );
  const toggled = { active: words.pause, paused: words.resume, disabled: words.enable }[receiver.state];
  const toggle = () => update({ state: isActive ? "paused" : "active" }, toggled.done).catch(toastError);
  const toggleButton = (
    <OperationButton operation={operations.update} onClick={toggle}>
      {toggled.button}
    </OperationButton>
  );
  const rotate = async () => {
    showEndpointSecret(await api("POST", `${path}/rotate`));
    changed(); // the secret may have been lost
  };
  const remove = async () => {
    await api("DELETE", path);
    toast(words.remove.done);
    removed();
  };
  const confirm = { present, onClose: close };
  return (
    <>
      {isLost && button("rotate")}
      {!isLost && !isActive && toggleButton}
      {beside}
      {button("edit")}
      <MoreMenu>
        {(isLost || isActive) && toggleButton}
        {more}
        {!isLost && button("rotate")}
        {button("remove")}
      </MoreMenu>
      {open === "edit" && form(close, (changes) => update(changes, words.edit.done, { etag }))}
      <ConfirmDialog words={words.rotate} {...confirm} open={open === "rotate"} onConfirm={rotate} />
      <ConfirmDialog words={words.remove} {...confirm} danger open={open === "remove"} onConfirm={remove} />
    </>
  );
}
