/** Test, pause, edit, rotate, recover and delete of an endpoint. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Edited } from "../parts/form-dialog.tsx";
import type { Fact } from "../parts/page.tsx";
import { Time } from "../parts/time.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { EndpointState } from "./endpoint-state.tsx";
import { OperationButton } from "./operation-button.tsx";
import { ReceiverActions } from "./receiver-actions.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";
import type { Schemas } from "./schemas.ts";
import { endpointTexts as texts } from "./texts/endpoints.ts";

type Endpoint = Schemas["Webhook"];

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

const operations = { update: "update_webhook", rotate: "rotate_webhook_secret", remove: "delete_webhook" };

export function EndpointActions({ endpoint, edited, changed, test }: Props) {
  const { route } = useLocation();
  const [recovers, setRecovers] = useState(false);
  const endRecovery = () => {
    changed(); // also after a stop
    setRecovers(false);
  };
  const path = `/webhooks/${endpoint.id}`;
  const present: Fact[] = [
    [texts.fields.url, <code>{endpoint.url}</code>],
    [texts.columns.state, <EndpointState endpoint={endpoint} />],
    [texts.columns.failures, endpoint.consecutiveFailures.toLocaleString()],
    [texts.columns.last, <Time at={endpoint.lastDeliveryAt} relativeToo />],
  ];
  return (
    <>
      <ReceiverActions
        receiver={endpoint}
        {...{ path, operations, present, changed }}
        words={texts}
        etag={edited.etag}
        removed={() => route("/portal/endpoints")}
        form={(onClose, save) => (
          <EndpointForm words={texts.edit} present={endpoint} edited={edited} onClose={onClose} onSave={save} />
        )}
        beside={test}
        more={
          <OperationButton operation="recover_webhook" onClick={() => setRecovers(true)}>
            {texts.recover.button}
          </OperationButton>
        }
      />
      {recovers && <RecoverDialog path={path} present={present} onClose={endRecovery} />}
    </>
  );
}
