/** The list of runs, and starting a run. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import { useBulk } from "../../parts/bulk.tsx";
import type { Column } from "../../parts/column.ts";
import { optionsOf, SelectFilter, useFilters } from "../../parts/filters.tsx";
import { FormDialog, textOf } from "../../parts/form-dialog.tsx";
import { useList } from "../../parts/list.ts";
import { type Fact, Field, Page } from "../../parts/page.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { localTime, Time } from "../../parts/time.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { toast } from "../../parts/toast.tsx";
import { duration, money } from "../amounts.ts";
import { botColumn, codeColumn, countColumn, stateColumn, wordColumn } from "../columns.tsx";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { useMay } from "../session-context.ts";
import { runTexts as texts } from "../texts/runs.ts";
import { type Names, useBots } from "../use-names.ts";

type Run = Schemas["Run"];

export default function Runs() {
  const bots = useBots();
  const { values, set, of, isFiltered } = useFilters(["botId", "state", "trigger", "since", "until"]);
  const list = useList<Run>("/runs", { limit: 100, ...values });
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
  return (
    <Page
      title={texts.title}
      actions={
        <OperationButton operation="start_run" kind="main" onClick={() => setStarting(true)}>
          {texts.start.button}
        </OperationButton>
      }
    >
      <search class="filters">
        <SelectFilter label={texts.filters.bot} options={bots.options} {...of("botId")} />
        <SelectFilter label={texts.filters.state} options={optionsOf(texts.states)} {...of("state")} />
        <SelectFilter label={texts.filters.trigger} options={optionsOf(texts.triggers)} {...of("trigger")} />
        <TimeFilter
          from={values.since}
          to={values.until}
          onChange={({ from, to }) => set({ since: from, until: to })}
        />
      </search>
      <ListPanel
        list={list}
        columns={[...bulk.columns, ...columnsOf(bots)]}
        texts={texts}
        isFiltered={isFiltered}
        exportName="runs"
      >
        {bulk.bar}
      </ListPanel>
      {starting && <StartDialog bots={bots} onClose={() => setStarting(false)} />}
    </Page>
  );
}

function StartDialog({ bots, onClose }: { bots: Names; onClose: () => void }) {
  const { route } = useLocation();
  const start = async (form: FormData) => {
    const body = {
      botId: textOf(form, "botId"),
      message: textOf(form, "message"),
      untrusted: form.get("untrusted") !== null,
    };
    const { id } = await api<Run>("POST", "/runs", body);
    toast(texts.start.done);
    route(`/portal/runs/${id}`);
  };
  return (
    <FormDialog title={texts.start.title} action={texts.start.action} onClose={onClose} onSubmit={start}>
      {(errors) => (
        <>
          {bots.options.length === 0 && <p>{texts.start.noBots}</p>}
          <SelectField name="botId" label={texts.start.bot} options={bots.options} error={errors.botId} />
          <Field label={texts.start.message} error={errors.message}>
            <textarea name="message" required maxLength={32_000} rows={4} />
          </Field>
          <label class="tick">
            <input type="checkbox" name="untrusted" />
            <span>
              {texts.start.untrusted}
              <small class="quiet"> {texts.start.untrustedHint}</small>
            </span>
          </label>
        </>
      )}
    </FormDialog>
  );
}

function countsByState(runs: Run[]): Fact[] {
  const groups = Object.entries(Object.groupBy(runs, ({ state }) => state));
  return groups.map(([state, { length }]) => [texts.states[state as Run["state"]], length.toLocaleString()]);
}

const columnsOf = ({ nameOf }: Names): Column<Run>[] => [
  {
    key: "createdAt",
    title: texts.columns.started,
    render: ({ id, createdAt }) => (
      <a href={`/portal/runs/${id}`}>
        <Time at={createdAt} />
      </a>
    ),
    sortBy: ({ createdAt }) => createdAt,
  },
  botColumn(texts.columns.bot, nameOf),
  stateColumn(texts.columns.state, ({ error }) => error?.message),
  wordColumn("trigger", texts.columns.trigger, texts.triggers),
  countColumn("steps", texts.columns.steps),
  {
    key: "cost",
    title: texts.columns.cost,
    number: true,
    render: ({ spendMicroCents }) => money(spendMicroCents),
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
