/** One endpoint: its state, its statistics, its deliveries and what can be done with it. */
import { useState } from "preact/hooks";
import { api, useOne } from "../../parts/api.ts";
import { Failure } from "../../parts/failure.tsx";
import { Id } from "../../parts/id.tsx";
import { Facts, Loading, Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { toastError } from "../../parts/toast.tsx";
import { useInterval } from "../../parts/use-interval.ts";
import { DeliveryLog } from "../delivery-log.tsx";
import { canBeTested, EndpointActions } from "../endpoint-actions.tsx";
import { EndpointCharts } from "../endpoint-charts.tsx";
import { VerifySnippet } from "../endpoint-secret.tsx";
import { EndpointNotice, EndpointState } from "../endpoint-state.tsx";
import { Linked } from "../linked.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { useMay } from "../session-context.ts";
import { TestOutcome } from "../test-outcome.tsx";
import { endpointTexts as texts } from "../texts/endpoints.ts";
import { useBots } from "../use-names.ts";

type Endpoint = Schemas["Webhook"];

const refreshIntervalMs = 5_000;

export default function EndpointPage({ id = "" }: { id?: string }) {
  const { data: endpoint, etag, error, reload } = useOne<Endpoint>(`/webhooks/${id}`);
  const [version, setVersion] = useState(0);
  const [tested, setTested] = useState<string>();
  const may = useMay();
  useInterval(reload, refreshIntervalMs);
  const changed = () => {
    reload();
    setVersion((last) => last + 1);
  };
  const sendTest = () =>
    api<Schemas["Delivery"]>("POST", `/webhooks/${id}/test`).then((delivery) => {
      setTested(delivery.id);
      changed();
    }, toastError);
  const test = endpoint && canBeTested(endpoint) && may("test_webhook") && (
    <OperationButton operation="test_webhook" onClick={sendTest}>
      {texts.test.button}
    </OperationButton>
  );
  return (
    <Page
      title={endpoint ? (endpoint.description ?? new URL(endpoint.url).host) : texts.one.title}
      above={<a href="/portal/endpoints">{texts.one.back}</a>}
      actions={
        endpoint && <EndpointActions endpoint={endpoint} edited={{ etag, reload }} changed={changed} test={test} />
      }
    >
      <Failure error={error} retry={reload} />
      {endpoint ? (
        <>
          <EndpointNotice endpoint={endpoint} />
          {tested && <TestOutcome key={tested} deliveryId={tested} />}
          <Shown endpoint={endpoint} />
          <DeliveryLog
            endpointId={id}
            version={version}
            start={test || <Linked href="/portal/events">{texts.deliveries.showEvents}</Linked>}
          />
          <EndpointCharts endpointId={id} />
          <VerifySnippet />
        </>
      ) : (
        !error && <Loading />
      )}
    </Page>
  );
}

function Shown({ endpoint }: { endpoint: Endpoint }) {
  const { nameOf } = useBots();
  return (
    <div class="panel">
      <Facts
        items={[
          [texts.fields.url, <code key="url">{endpoint.url}</code>],
          [texts.columns.state, <EndpointState key="state" endpoint={endpoint} />],
          [texts.columns.events, endpoint.events.join(", ")],
          [texts.one.bots, endpoint.botIds?.map(nameOf).join(", ") ?? texts.one.all],
          [texts.one.runStates, endpoint.runStates?.join(", ") ?? texts.one.all],
          [texts.one.ordered, endpoint.orderPerRun ? texts.one.yes : texts.one.no],
          [texts.columns.last, <Time key="last" at={endpoint.lastDeliveryAt} relativeToo />],
          [texts.columns.created, <Time key="created" at={endpoint.createdAt} />],
          [texts.one.id, <Id key="id" value={endpoint.id} />],
        ]}
      />
    </div>
  );
}
