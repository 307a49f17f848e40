/** The audit log: its stream, filters, details of an entry and exports. */

import { useState } from "preact/hooks";
import type { Column } from "../../parts/column.ts";
import { FilterLine } from "../../parts/filter-line.tsx";
import { optionsOf, SelectFilter, TextFilter, useFilters } from "../../parts/filters.tsx";
import { useList } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { EntryDialog } from "../audit-entry.tsx";
import { AuditExport } from "../audit-export.tsx";
import { AuditStream } from "../audit-stream.tsx";
import { countColumn, timeColumn } from "../columns.tsx";
import { ListPanel } from "../list-panel.tsx";
import type { Schemas } from "../schemas.ts";
import { auditTexts as texts } from "../texts/people.ts";
import { usePeople } from "../use-names.ts";

type Entry = Schemas["AuditEntry"];

const names = ["actor", "action", "resource", "userId", "resourceId", "since", "until"] as const;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export default function AuditLog() {
  const people = usePeople();
  const { values, set, of, isFiltered, count, clear } = useFilters(names);
  const list = useList<Entry>("/audit", { limit: 100, ...values });
  const [entry, setEntry] = useState<Entry>();
  const personOf = ({ userId }: Entry) => (userId ? people.nameOf(userId) : "–");
  const select = (name: (typeof names)[number], label: string, options: { value: string; title: string }[]) => (
    <SelectFilter label={label} options={options} {...of(name)} />
  );
  return (
    <Page title={texts.title} actions={<AuditExport filters={values} />}>
      <AuditStream />
      <ListPanel
        filters={
          <FilterLine count={count} onClear={clear}>
            {select("actor", texts.filters.actor, optionsOf(texts.actors))}
            {select("action", texts.filters.action, optionsOf(texts.actions))}
            {select("resource", texts.filters.resource, optionsOf(texts.resources))}
            {people.options.length > 0 && select("userId", texts.filters.person, people.options)}
            <TextFilter
              label={texts.filters.resourceId}
              value={values.resourceId}
              maxLength={36}
              // A part of an id is not sent, because the API refuses it.
              onChange={(resourceId) => (resourceId === "" || uuid.test(resourceId)) && set({ resourceId })}
            />
            <TimeFilter
              from={values.since}
              to={values.until}
              onChange={({ from, to }) => set({ since: from, until: to })}
            />
          </FilterLine>
        }
        list={list}
        columns={columnsOf(personOf, setEntry)}
        texts={texts}
        isFiltered={isFiltered}
      />
      {entry && <EntryDialog entry={entry} person={personOf(entry)} onClose={() => setEntry(undefined)} />}
    </Page>
  );
}

const columnsOf = (personOf: (entry: Entry) => string, onOpen: (entry: Entry) => void): Column<Entry>[] => [
  countColumn("sequence", texts.columns.sequence),
  { ...timeColumn("createdAt", texts.columns.time), phone: "time" },
  {
    key: "actor",
    phone: "state",
    title: texts.columns.actor,
    render: (entry) => (
      <>
        {entry.userId ? personOf(entry) : (entry.operator ?? texts.actors[entry.actor])}
        {(entry.userId || entry.operator) && <span class="sub">{texts.actors[entry.actor]}</span>}
      </>
    ),
    sortBy: (entry) => (entry.userId ? personOf(entry) : entry.actor),
  },
  {
    key: "action",
    phone: "title",
    title: texts.columns.action,
    render: ({ action, resource }) => `${texts.resources[resource]} ${texts.actions[action]}`,
    sortBy: ({ action, resource }) => `${resource} ${action}`,
  },
  {
    key: "changed",
    title: texts.columns.changed,
    render: ({ changed }) => <span class="clip">{changed.join(", ") || "–"}</span>,
  },
  {
    key: "resource",
    title: texts.columns.resource,
    hidden: true,
    render: ({ resourceId }) => <code>{resourceId ?? "–"}</code>,
  },
  {
    key: "request",
    title: texts.columns.request,
    hidden: true,
    render: ({ requestId }) => <code>{requestId ?? "–"}</code>,
  },
  {
    key: "details",
    phone: "beside",
    title: texts.columns.details,
    render: (entry) => (
      <button type="button" onClick={() => onOpen(entry)} aria-label={`${texts.details.button} ${entry.sequence}`}>
        {texts.details.button}
      </button>
    ),
  },
];
