/** The deliveries of an endpoint, newest first. The newest ones refresh while the page is visible. */
import { useEffect } from "preact/hooks";
import { State } from "../parts/badge.tsx";
import type { Column } from "../parts/column.ts";
import { DateRange } from "../parts/date-range.tsx";
import { optionsOf, SelectFilter, useFilters } from "../parts/filters.tsx";
import { useNewest } from "../parts/list.ts";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { useInterval } from "../parts/use-interval.ts";
import { AttemptsOf } from "./attempts.tsx";
import { outcomeText } from "./delivery-outcome.ts";
import type { Schemas } from "./schemas.ts";
import { endpointTexts, eventKinds } from "./texts/endpoints.ts";

type Delivery = Schemas["Delivery"];

const texts = endpointTexts.deliveries;
const pageSize = 100;
const refreshIntervalMs = 5_000;

/** @param version changes after an action that makes deliveries */
export function DeliveryLog({ endpointId, version }: { endpointId: string; version: number }) {
  const { values, set, isFiltered } = useFilters(["state", "event", "since", "until"]);
  const list = useNewest<Delivery>(`/webhooks/${endpointId}/deliveries`, { limit: pageSize, ...values });
  const { reload } = list;
  useEffect(() => {
    if (version > 0) reload();
  }, [version, reload]);
  useInterval(list.refresh, refreshIntervalMs);
  return (
    <Section title={texts.title} beside={<span class="quiet">{list.isStale ? texts.stale : texts.live}</span>}>
      <search class="filters inside">
        <SelectFilter
          label={texts.filters.state}
          value={values.state}
          options={optionsOf(texts.states)}
          onChange={(state) => set({ state })}
        />
        <SelectFilter
          label={texts.filters.event}
          value={values.event}
          options={Object.keys(eventKinds).map((value) => ({ value, title: value }))}
          onChange={(event) => set({ event })}
        />
        <DateRange from={values.since} to={values.until} onChange={({ from, to }) => set({ since: from, until: to })} />
      </search>
      <Table
        {...list}
        caption={texts.caption}
        columns={columns}
        rowKey={({ id }) => id}
        empty={isFiltered ? texts.noMatch : texts.empty}
        exportName="deliveries"
      />
    </Section>
  );
}

const outcomeOf = ({ lastStatusCode, lastFailure }: Delivery) => outcomeText(lastStatusCode, lastFailure);

const columns: Column<Delivery>[] = [
  {
    key: "event",
    title: texts.columns.event,
    render: ({ id, event }) => <a href={`/portal/endpoints/deliveries/${id}`}>{event}</a>,
    sortBy: ({ event }) => event,
    text: ({ event }) => event,
  },
  {
    key: "state",
    title: texts.columns.state,
    render: ({ state }) => <State state={state} />,
    sortBy: ({ state }) => state,
    text: ({ state }) => state,
  },
  {
    key: "attempts",
    title: texts.columns.attempts,
    render: (delivery) => <AttemptsOf delivery={delivery} />,
    sortBy: ({ attempts }) => attempts,
    text: ({ attempts }) => attempts,
  },
  {
    key: "outcome",
    title: texts.columns.outcome,
    render: outcomeOf,
    sortBy: outcomeOf,
    text: outcomeOf,
  },
  {
    key: "createdAt",
    title: texts.columns.created,
    render: ({ createdAt }) => <Time at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    text: ({ createdAt }) => createdAt,
  },
  {
    key: "nextAttemptAt",
    title: texts.columns.next,
    render: ({ nextAttemptAt }) => <Time at={nextAttemptAt} relativeToo />,
    sortBy: ({ nextAttemptAt }) => nextAttemptAt,
    text: ({ nextAttemptAt }) => nextAttemptAt,
  },
  { key: "id", title: texts.columns.id, hidden: true, render: ({ id }) => <code>{id}</code>, text: ({ id }) => id },
];
