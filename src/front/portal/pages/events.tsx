/** The events of the organisation, delivered or not. */

import { useCallback, useEffect, useState } from "preact/hooks";
import { type ApiError, api, withQuery } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import type { Column } from "../../parts/column.ts";
import { SelectFilter, useFilters } from "../../parts/filters.tsx";
import { CodeBlock } from "../../parts/id.tsx";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { Linked } from "../linked.tsx";
import { ListPanel } from "../list-panel.tsx";
import type { Schemas } from "../schemas.ts";
import { eventKinds, eventTexts as texts } from "../texts/endpoints.ts";

type Event = Schemas["Event"];
type Feed = Schemas["EventFeed"];

export default function Events() {
  const { values, set, isFiltered } = useFilters(["event"]);
  const list = useFeed(values.event);
  return (
    <Page title={texts.title}>
      <search class="filters">
        <SelectFilter
          label={texts.filters.event}
          value={values.event}
          options={Object.keys(eventKinds).map((value) => ({ value, title: value }))}
          onChange={(event) => set({ event })}
        />
      </search>
      <ListPanel list={list} columns={columns} texts={texts} isFiltered={isFiltered} exportName="events" />
    </Page>
  );
}

type Read = { event: string; rows: Event[]; after: string | undefined; hasMore: boolean };

/** The feed is read from its beginning; each page ends with a cursor, also the last one. */
function useFeed(event: string) {
  const [read, setRead] = useState<Read>();
  const [error, setError] = useState<ApiError>();
  const [loading, setLoading] = useState(true);
  const load = useCallback(
    async (before: Read | undefined) => {
      setLoading(true);
      const url = withQuery("/events", { limit: 200, event, after: before?.after });
      try {
        const { data, nextCursor, hasMore } = await api<Feed>("GET", url);
        setRead({ event, rows: [...(before?.rows ?? []), ...data], after: nextCursor, hasMore });
        setError(undefined);
      } catch (failure) {
        setError(failure as ApiError);
      } finally {
        setLoading(false);
      }
    },
    [event],
  );
  useEffect(() => {
    load(undefined);
  }, [load]);
  const current = read?.event === event ? read : undefined;
  return {
    rows: current?.rows ?? [],
    loading,
    error,
    more: current?.hasMore ? () => load(current) : undefined,
  };
}

const columns: Column<Event>[] = [
  {
    key: "event",
    title: texts.columns.event,
    render: ({ event, data }) => (
      <details>
        <summary>{event}</summary>
        <CodeBlock text={JSON.stringify(data, null, 2)} label="data" />
      </details>
    ),
    sortBy: ({ event }) => event,
    text: ({ event }) => event,
  },
  {
    key: "createdAt",
    title: texts.columns.created,
    render: ({ createdAt }) => <Time at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    text: ({ createdAt }) => createdAt,
  },
  {
    key: "deliveries",
    title: texts.columns.deliveries,
    render: ({ deliveries }) =>
      deliveries.length === 0
        ? texts.none
        : deliveries.map(({ id, state }) => (
            <Linked key={id} href={`/portal/endpoints/deliveries/${id}`}>
              <State state={state} />
            </Linked>
          )),
    sortBy: ({ deliveries }) => deliveries.length,
    text: ({ deliveries }) => deliveries.map(({ state }) => state).join(" "),
  },
  { key: "id", title: texts.columns.id, hidden: true, render: ({ id }) => <code>{id}</code>, text: ({ id }) => id },
  {
    key: "data",
    title: texts.data,
    hidden: true,
    render: ({ data }) => <code>{JSON.stringify(data)}</code>,
    text: ({ data }) => JSON.stringify(data),
  },
];
