/** The list of endpoints, and creating one with a test. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import type { Column } from "../../parts/column.ts";
import { Failure } from "../../parts/failure.tsx";
import { isEmptyList } from "../../parts/filter-line.tsx";
import { useNewest } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { useInterval } from "../../parts/use-interval.ts";
import { countColumn, timeColumn } from "../columns.tsx";
import { EndpointForm, type EndpointValues } from "../endpoint-form.tsx";
import { showEndpointSecret } from "../endpoint-secret.tsx";
import { EndpointState, stateText } from "../endpoint-state.tsx";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { TestOutcome } from "../test-outcome.tsx";
import { endpointTexts as texts } from "../texts/endpoints.ts";

type Endpoint = Schemas["Webhook"];

const refreshIntervalMs = 5_000;

export default function Endpoints() {
  const { route } = useLocation();
  const list = useNewest<Endpoint>("/webhooks", { limit: 100 });
  useInterval(list.refresh, refreshIntervalMs);
  const [creating, setCreating] = useState(false);
  const create = async (values: EndpointValues) => {
    const endpoint = await api<Schemas["WebhookShownOnce"]>("POST", "/webhooks", values);
    const test = await api<Schemas["Delivery"]>("POST", `/webhooks/${endpoint.id}/test`).then(
      ({ id }) => <TestOutcome deliveryId={id} />,
      (error) => <Failure error={error} retry={null} />,
    );
    showEndpointSecret(endpoint, test);
    route(`/portal/endpoints/${endpoint.id}`);
  };
  const start = (
    <OperationButton operation="create_webhook" kind="main" onClick={() => setCreating(true)}>
      {texts.create.button}
    </OperationButton>
  );
  return (
    <Page title={texts.title} actions={!isEmptyList(list, false) && start}>
      <ListPanel start={start} list={list} columns={columns} texts={texts} exportName="endpoints" />
      {creating && <EndpointForm words={texts.create} onClose={() => setCreating(false)} onSave={create} />}
    </Page>
  );
}

const columns: Column<Endpoint>[] = [
  {
    key: "endpoint",
    phone: "title",
    title: texts.columns.endpoint,
    render: ({ id, url, description }) => (
      <>
        <a href={`/portal/endpoints/${id}`}>{description ?? url}</a>
        {description && <span class="sub clip">{url}</span>}
      </>
    ),
    sortBy: ({ url, description }) => description ?? url,
    text: ({ url }) => url,
  },
  {
    key: "state",
    phone: "state",
    title: texts.columns.state,
    render: (endpoint) => <EndpointState endpoint={endpoint} />,
    sortBy: stateText,
  },
  {
    key: "events",
    title: texts.columns.events,
    render: ({ events }) => <span class="clip">{events.join(", ")}</span>,
    sortBy: ({ events }) => events.length,
    text: ({ events }) => events.join(" "),
  },
  countColumn("consecutiveFailures", texts.columns.failures),
  { ...timeColumn("lastDeliveryAt", texts.columns.last, "relativeToo"), phone: "time" },
  { ...timeColumn("createdAt", texts.columns.created), hidden: true },
];
