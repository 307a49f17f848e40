/** The deliveries of an endpoint, newest first. The newest ones refresh while the page is visible. */

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { eventKinds } from "../../contract/event-kinds.ts";
import { api } from "../parts/api.ts";
import { useBulk } from "../parts/bulk.tsx";
import type { Column } from "../parts/column.ts";
import { FilterLine, useFilterable } from "../parts/filter-line.tsx";
import { optionsOf, SelectFilter, useFilters } from "../parts/filters.tsx";
import { useNewest } from "../parts/list.ts";
import { emptyState, Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { localTime } from "../parts/time.tsx";
import { TimeFilter } from "../parts/time-filter.tsx";
import { useInterval } from "../parts/use-interval.ts";
import { AttemptsOf } from "./attempts.tsx";
import { codeColumn, stateColumn, timeColumn } from "./columns.tsx";
import { outcomeText } from "./delivery-outcome.ts";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { endpointTexts } from "./texts/endpoints.ts";

type Delivery = Schemas["Delivery"];

const texts = endpointTexts.deliveries;
const pageSize = 100;
const refreshIntervalMs = 5_000;

type Props = {
  endpointId: string;
  /** Changes after an action that makes deliveries. */
  version: number;
  /** The button of an empty list. */
  start: ComponentChildren;
};

export function DeliveryLog({ endpointId, version, start }: Props) {
  const { values, set, of, isFiltered, count, clear } = useFilters(["state", "event", "since", "until"]);
  const list = useNewest<Delivery>(`/webhooks/${endpointId}/deliveries`, { limit: pageSize, ...values });
  const isFilterable = useFilterable(list, isFiltered);
  const { reload } = list;
  useEffect(() => {
    if (version > 0) reload();
  }, [version, reload]);
  useInterval(list.refresh, refreshIntervalMs);
  const may = useMay();
  const bulk = useBulk<Delivery>({
    rows: list.rows,
    texts: texts.bulk,
    can: ({ state }) => state === "failed" && may("redeliver"),
    nameOf: ({ event, createdAt }) => `${event} ${localTime(createdAt)}`,
    act: ({ id }) => api("POST", `/deliveries/${id}/redeliver`),
    onEnd: reload,
  });
  return (
    <Section title={texts.title} beside={<span class="quiet">{list.isStale ? texts.stale : texts.live}</span>}>
      {isFilterable && (
        <FilterLine count={count} onClear={clear} inside>
          <SelectFilter label={texts.filters.state} options={optionsOf(texts.states)} {...of("state")} />
          <SelectFilter
            label={texts.filters.event}
            options={Object.keys(eventKinds).map((value) => ({ value, title: value }))}
            {...of("event")}
          />
          <TimeFilter
            from={values.since}
            to={values.until}
            onChange={({ from, to }) => set({ since: from, until: to })}
          />
        </FilterLine>
      )}
      {bulk.bar}
      <Table
        {...list}
        caption={texts.caption}
        columns={[...bulk.columns, ...columns]}
        rowKey={({ id }) => id}
        empty={isFiltered ? texts.noMatch : emptyState(texts.empty, start)}
        isFilterable
        exportName="deliveries"
      />
    </Section>
  );
}

const outcomeOf = ({ lastStatusCode, lastFailure }: Delivery) => outcomeText(lastStatusCode, lastFailure);

const columns: Column<Delivery>[] = [
  {
    key: "event",
    phone: "title",
    title: texts.columns.event,
    render: ({ id, event }) => <a href={`/portal/endpoints/deliveries/${id}`}>{event}</a>,
    sortBy: ({ event }) => event,
  },
  stateColumn(texts.columns.state),
  {
    key: "attempts",
    title: texts.columns.attempts,
    render: (delivery) => <AttemptsOf delivery={delivery} />,
    sortBy: ({ attempts }) => attempts,
  },
  {
    key: "outcome",
    title: texts.columns.outcome,
    render: outcomeOf,
    sortBy: outcomeOf,
  },
  { ...timeColumn("createdAt", texts.columns.created), phone: "time" },
  timeColumn("nextAttemptAt", texts.columns.next, "relativeToo"),
  codeColumn("id", texts.columns.id),
];
