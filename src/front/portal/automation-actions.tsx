/** Pause, resume and delete of a routine or a hook. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../parts/api.ts";
import { ConfirmDialog } from "../parts/dialog.tsx";
import { MoreMenu } from "../parts/more-menu.tsx";
import type { Fact } from "../parts/page.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { OperationButton } from "./operation-button.tsx";
import { useSession } from "./session-context.ts";

type Props = {
  kind: "routine" | "hook";
  row: { id: string; state: "active" | "paused"; createdBy: string };
  words: {
    pause: { button: string; done: string };
    resume: { button: string; done: string };
    remove: { button: string; title: string; text: string; action: string; done: string };
  };
  /** The values that the dialog of the deletion shows. */
  present: Fact[];
  /** Called after a change. */
  changed: () => void;
  /** The creator's button beside "Pause". */
  children: ComponentChildren;
  /** Further buttons of the creator, in a menu with the delete button. */
  more?: ComponentChildren;
};

export function AutomationActions({ kind, row, words, present, changed, children, more }: Props) {
  const { route } = useLocation();
  const [removing, setRemoving] = useState(false);
  const path = `/${kind}s/${row.id}`;
  const { person, forAnother } = useSession();
  const isOwn = person.id === row.createdBy && !forAnother;
  const isActive = row.state === "active";
  const { button, done } = isActive ? words.pause : words.resume;
  const toggle = () =>
    api("PATCH", path, { state: isActive ? "paused" : "active" }).then(() => {
      toast(done);
      changed();
    }, toastError);
  const remove = async () => {
    await api("DELETE", path);
    toast(words.remove.done);
    route(`/portal/${kind}s`);
  };
  const removeButton = (
    <OperationButton operation={`delete_${kind}`} kind="risky" onClick={() => setRemoving(true)}>
      {words.remove.button}
    </OperationButton>
  );
  return (
    <>
      {(isActive || isOwn) && (
        <OperationButton operation={`update_${kind}`} onClick={toggle}>
          {button}
        </OperationButton>
      )}
      {isOwn && children}
      {more ? (
        <MoreMenu>
          {isOwn && more}
          {removeButton}
        </MoreMenu>
      ) : (
        removeButton
      )}
      <ConfirmDialog
        words={words.remove}
        present={present}
        danger
        open={removing}
        onClose={() => setRemoving(false)}
        onConfirm={remove}
      />
    </>
  );
}
