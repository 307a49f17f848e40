/** Test, pause, edit, rotate, recover and delete of an endpoint. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../parts/api.ts";
import { ConfirmDialog } from "../parts/dialog.tsx";
import type { Edited } from "../parts/form-dialog.tsx";
import { MoreMenu } from "../parts/more-menu.tsx";
import type { Fact } from "../parts/page.tsx";
import { Time } from "../parts/time.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { EndpointForm, type EndpointValues } from "./endpoint-form.tsx";
import { showEndpointSecret } from "./endpoint-secret.tsx";
import { EndpointState } from "./endpoint-state.tsx";
import { OperationButton } from "./operation-button.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";
import type { Schemas } from "./schemas.ts";
import { endpointTexts as texts } from "./texts/endpoints.ts";

type Endpoint = Schemas["Webhook"];
type Open = "edit" | "rotate" | "recover" | "remove";

type Props = {
  endpoint: Endpoint;
  edited: Edited;
  /** Called after a change. */
  changed: () => void;
  /** The button "Send a test", if a test can be sent. */
  test: ComponentChildren;
};

/** A test of any other endpoint would be refused. */
export const canBeTested = ({ state, secretLostSince }: Endpoint): boolean =>
  state === "active" && secretLostSince === null;

export function EndpointActions({ endpoint, edited, changed, test }: Props) {
  const { route } = useLocation();
  const [open, setOpen] = useState<Open>();
  const close = () => {
    if (open === "recover") changed(); // also after a stop
    setOpen(undefined);
  };
  const path = `/webhooks/${endpoint.id}`;
  const isActive = endpoint.state === "active";
  const isLost = endpoint.secretLostSince !== null;
  const present: Fact[] = [
    [texts.fields.url, <code>{endpoint.url}</code>],
    [texts.columns.state, <EndpointState endpoint={endpoint} />],
    [texts.columns.failures, endpoint.consecutiveFailures.toLocaleString()],
    [texts.columns.last, <Time at={endpoint.lastDeliveryAt} relativeToo />],
  ];
  const after = (call: Promise<unknown>, done: string) =>
    call.then(() => {
      toast(done);
      changed();
    });
  const button = (operation: string, name: Open) => (
    <OperationButton operation={operation} kind={name === "remove" ? "risky" : undefined} onClick={() => setOpen(name)}>
      {texts[name].button}
    </OperationButton>
  );
  const toggled = { active: texts.pause, paused: texts.resume, disabled: texts.enable }[endpoint.state];
  const toggle = () =>
    after(api("PATCH", path, { state: isActive ? "paused" : "active" }), toggled.done).catch(toastError);
  const toggleButton = (
    <OperationButton operation="update_webhook" onClick={toggle}>
      {toggled.button}
    </OperationButton>
  );
  const edit = (values: EndpointValues) => after(api("PATCH", path, values, edited), texts.edit.done);
  const rotate = async () => {
    showEndpointSecret(await api("POST", `${path}/rotate`));
    changed(); // the secret may have been lost
  };
  const remove = async () => {
    await api("DELETE", path);
    toast(texts.remove.done);
    route("/portal/endpoints");
  };
  return (
    <>
      {isLost && button("rotate_webhook_secret", "rotate")}
      {!isLost && !isActive && toggleButton}
      {test}
      {button("update_webhook", "edit")}
      <MoreMenu>
        {(isLost || isActive) && toggleButton}
        {button("recover_webhook", "recover")}
        {!isLost && button("rotate_webhook_secret", "rotate")}
        {button("delete_webhook", "remove")}
      </MoreMenu>
      {open === "edit" && (
        <EndpointForm words={texts.edit} present={endpoint} edited={edited} onClose={close} onSave={edit} />
      )}
      {open === "recover" && <RecoverDialog path={path} present={present} onClose={close} />}
      <ConfirmDialog
        words={texts.rotate}
        present={present}
        open={open === "rotate"}
        onClose={close}
        onConfirm={rotate}
      />
      <ConfirmDialog
        words={texts.remove}
        present={present}
        danger
        open={open === "remove"}
        onClose={close}
        onConfirm={remove}
      />
    </>
  );
}
