/** One delivery: its attempts and its payload. */

import { api, useOne } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import { Failure } from "../../parts/failure.tsx";
import { CodeBlock, Id } from "../../parts/id.tsx";
import { Facts, Loading, Page, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { toast, toastError } from "../../parts/toast.tsx";
import { attemptColumns } from "../attempts.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { deliveryTexts as texts } from "../texts/endpoints.ts";
import { frameTexts } from "../texts/frame.ts";

type Delivery = Schemas["DeliveryInFull"];

export default function DeliveryPage({ id = "" }: { id?: string }) {
  const { data: delivery, error, reload } = useOne<Delivery>(`/deliveries/${id}`);
  const redeliver = () =>
    api("POST", `/deliveries/${id}/redeliver`).then(() => {
      toast(texts.redeliver.done);
      reload();
    }, toastError);
  return (
    <Page
      title={delivery?.event ?? texts.title}
      above={delivery && <a href={`/portal/endpoints/${delivery.webhookId}`}>{texts.back}</a>}
      actions={
        delivery?.state === "failed" && (
          <OperationButton operation="redeliver" kind="main" onClick={redeliver}>
            {texts.redeliver.button}
          </OperationButton>
        )
      }
    >
      <Failure error={error} retry={reload} />
      {delivery ? <Shown delivery={delivery} /> : !error && <Loading />}
    </Page>
  );
}

function Shown({ delivery }: { delivery: Delivery }) {
  return (
    <>
      <div class="panel">
        <Facts
          items={[
            [texts.facts.state, <State key="state" state={delivery.state} />],
            [texts.facts.attempts, `${delivery.attempts} / ${delivery.maxAttempts}`],
            [texts.facts.created, <Time key="created" at={delivery.createdAt} />],
            [texts.facts.delivered, <Time key="delivered" at={delivery.deliveredAt} />],
            [texts.facts.next, <Time key="next" at={delivery.nextAttemptAt} relativeToo />],
            [texts.facts.id, <Id key="id" value={delivery.id} />],
          ]}
        />
      </div>
      <Section title={texts.timeline}>
        <Table
          caption={texts.timeline}
          columns={attemptColumns}
          rows={delivery.attemptLog}
          rowKey={({ number }) => String(number)}
          empty={texts.noAttempts}
        />
      </Section>
      <Section title={texts.payload}>
        <div class="text">
          <CodeBlock text={JSON.stringify(delivery.payload, null, 2)} label={frameTexts.copied.payload} />
        </div>
      </Section>
    </>
  );
}
