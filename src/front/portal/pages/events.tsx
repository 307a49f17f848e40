/** The events of the organisation, delivered or not: newest first, and live. */

import { useEffect } from "preact/hooks";
import { eventKinds } from "../../../contract/event-kinds.ts";
import { withQuery } from "../../parts/api.ts";
import { useEventStream } from "../../parts/event-stream.ts";
import { SelectFilter, useFilters } from "../../parts/filters.tsx";
import { useNewest } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { useInterval } from "../../parts/use-interval.ts";
import { type Event, eventColumns } from "../event-columns.tsx";
import { ListPanel } from "../list-panel.tsx";
import { StreamBadge } from "../stream-badge.tsx";
import { eventTexts as texts } from "../texts/endpoints.ts";

const pageSize = 100;
const refreshIntervalMs = 5_000;

export default function Events() {
  const { values, set, isFiltered } = useFilters(["event"]);
  const { event } = values;
  const list = useNewest<Event>("/events", { limit: pageSize, order: "desc", event });
  const stream = useEventStream(withQuery("/events", { event }), ({ data }) => list.add([data as Event]));
  useEffect(() => {
    // The list may be older than the stream.
    if (stream === "live") list.refresh();
  }, [stream]);
  const isOpen = list.rows.slice(0, pageSize).some(({ deliveries }) => deliveries.some(isPending));
  useInterval(list.refresh, isOpen ? refreshIntervalMs : null);
  return (
    <Page title={texts.title} actions={<a href="/portal/events/kinds">{texts.kinds.link}</a>}>
      <ListPanel
        filters={
          <search class="filters one">
            <SelectFilter
              label={texts.filters.event}
              value={event}
              options={Object.keys(eventKinds).map((value) => ({ value, title: value }))}
              onChange={(event) => set({ event })}
            />
            <p role="status">
              <StreamBadge state={stream} />
            </p>
          </search>
        }
        list={list}
        columns={eventColumns}
        texts={texts}
        isFiltered={isFiltered}
        exportName="events"
      />
    </Page>
  );
}

/** The stream has events, but no changes of their deliveries. */
const isPending = ({ state }: Event["deliveries"][number]) => state === "pending";
