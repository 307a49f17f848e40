/** The list of runs, and starting a run. */

import { useState } from "preact/hooks";
import { api } from "../../parts/api.ts";
import { useBulk } from "../../parts/bulk.tsx";
import type { Column } from "../../parts/column.ts";
import { FilterLine, isEmptyList } from "../../parts/filter-line.tsx";
import { optionsOf, SelectFilter, useFilters } from "../../parts/filters.tsx";
import { useList } from "../../parts/list.ts";
import { money } from "../../parts/money.ts";
import { type Fact, Page } from "../../parts/page.tsx";
import { localTime, Time } from "../../parts/time.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { botColumn, codeColumn, countColumn, stateColumn, wordColumn } from "../columns.tsx";
import { duration } from "../durations.ts";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { useMay } from "../session-context.ts";
import { StartRun } from "../start-run.tsx";
import { runTexts as texts } from "../texts/runs.ts";
import { type Names, useBots } from "../use-names.ts";

type Run = Schemas["Run"];

export default function Runs() {
  const bots = useBots();
  const { values, set, of, isFiltered, count, clear } = useFilters(["botId", "state", "trigger", "since", "until"]);
  const list = useList<Run>("/runs", { limit: 100, include: "message", ...values });
  const [starting, setStarting] = useState(false);
  const may = useMay();
  const bulk = useBulk<Run>({
    rows: list.rows,
    texts: texts.bulk,
    can: ({ finishedAt }) => !finishedAt && may("cancel_run"),
    nameOf: ({ botId, createdAt }) => `${bots.nameOf(botId)} ${localTime(createdAt)}`,
    act: ({ id }) => api("POST", `/runs/${id}/cancel`),
    onEnd: list.reload,
    confirm: { words: texts.bulk.confirm, present: countsByState },
  });
  const start = (
    <OperationButton operation="start_run" kind="main" onClick={() => setStarting(true)}>
      {texts.start.button}
    </OperationButton>
  );
  return (
    <Page title={texts.title} actions={!isEmptyList(list, isFiltered) && start}>
      <ListPanel
        filters={
          <FilterLine count={count} onClear={clear}>
            <SelectFilter label={texts.filters.bot} options={bots.options} {...of("botId")} />
            <SelectFilter label={texts.filters.state} options={optionsOf(texts.states)} {...of("state")} />
            <SelectFilter label={texts.filters.trigger} options={optionsOf(texts.triggers)} {...of("trigger")} />
            <TimeFilter
              from={values.since}
              to={values.until}
              onChange={({ from, to }) => set({ since: from, until: to })}
            />
          </FilterLine>
        }
        start={start}
        list={list}
        columns={[...bulk.columns, ...columnsOf(bots)]}
        texts={texts}
        isFiltered={isFiltered}
        exportName="runs"
      >
        {bulk.bar}
      </ListPanel>
      {starting && <StartRun options={bots.options} onClose={() => setStarting(false)} />}
    </Page>
  );
}

function countsByState(runs: Run[]): Fact[] {
  const groups = Object.entries(Object.groupBy(runs, ({ state }) => state));
  return groups.map(([state, { length }]) => [texts.states[state as Run["state"]], length.toLocaleString()]);
}

const columnsOf = ({ nameOf }: Names): Column<Run>[] => [
  {
    key: "createdAt",
    phone: "time",
    title: texts.columns.started,
    render: ({ createdAt }) => <Time at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
  },
  {
    key: "message",
    phone: "title",
    title: texts.columns.message,
    render: ({ id, message }) => (
      <a class="clip" href={`/portal/runs/${id}`}>
        {message || texts.otherPerson}
      </a>
    ),
    text: ({ message }) => message ?? null,
  },
  botColumn(texts.columns.bot, nameOf),
  stateColumn(texts.columns.state, ({ error }) => error?.message),
  wordColumn("trigger", texts.columns.trigger, texts.triggers),
  countColumn("steps", texts.columns.steps),
  {
    key: "cost",
    title: texts.columns.cost,
    number: true,
    render: ({ spendMicroCents }) => money(spendMicroCents, "cost"),
    sortBy: ({ spendMicroCents }) => spendMicroCents,
    text: ({ spendMicroCents }) => spendMicroCents / 100_000_000,
  },
  {
    key: "duration",
    title: texts.columns.duration,
    number: true,
    render: ({ createdAt, finishedAt }) => duration(createdAt, finishedAt),
    sortBy: ({ createdAt, finishedAt }) => finishedAt && Date.parse(finishedAt) - Date.parse(createdAt),
  },
  {
    key: "taint",
    title: texts.columns.taint,
    hidden: true,
    render: ({ taint }) => (taint ? texts.yes : texts.no),
    text: ({ taint }) => String(taint),
  },
  codeColumn("id", texts.columns.id),
];
