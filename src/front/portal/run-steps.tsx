/** The steps of a run, also steps that arrive while its page is open. */
import { useEffect, useMemo } from "preact/hooks";
import type { Column } from "../parts/column.ts";
import { useList } from "../parts/list.ts";
import { money } from "../parts/money.ts";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { countColumn, textColumn, timeColumn } from "./columns.tsx";
import type { Schemas } from "./schemas.ts";
import { runTexts as texts } from "./texts/runs.ts";

type Step = Schemas["Step"];
type Props = {
  run: Schemas["Run"];
  /** Steps from the stream: all that were recorded after the list was read. They do not replace its first page. */
  live: Step[];
};

export function Steps({ run, live }: Props) {
  const list = useList<Step>(`/runs/${run.id}/steps`, { limit: 100 });
  // Each state is a new object. When the run is leased again, its executor uses results again.
  useEffect(() => {
    if (run.state === "running" && live.some(({ key }) => key !== null)) list.reload();
  }, [run]);
  const isFirstPage = list.loading && list.rows.length === 0;
  const rows = useMemo(() => {
    if (isFirstPage) return [];
    const byNumber = new Map([...live, ...list.rows].map((step) => [step.number, step]));
    return [...byNumber.values()].toSorted((a, b) => b.number - a.number);
  }, [list.rows, live, isFirstPage]);
  return (
    <Section title={texts.one.steps}>
      <Table
        {...list}
        rows={rows}
        more={rows.length === rows[0]?.number ? undefined : list.more} // steps are numbered from 1
        caption={texts.one.stepsCaption}
        columns={columns}
        rowKey={({ number }) => String(number)}
        empty={run.finishedAt ? texts.one.noSteps : texts.one.noStepsYet}
        exportName={`run-${run.id}-steps`}
      />
    </Section>
  );
}

const columns: Column<Step>[] = [
  {
    key: "number",
    title: texts.step.number,
    number: true,
    render: ({ number }) => number,
    text: ({ number }) => number,
  },
  { ...textColumn("kind", texts.step.kind), phone: "title" },
  {
    key: "createdAt",
    phone: "time",
    title: texts.step.at,
    render: ({ createdAt }) => <Time at={createdAt} />,
    text: ({ createdAt }) => createdAt,
  },
  { ...textColumn("key", texts.step.key), hidden: true },
  timeColumn("reusedAt", texts.step.reused),
  countColumn("inputTokens", texts.step.input),
  countColumn("outputTokens", texts.step.output),
  {
    key: "cost",
    phone: "state",
    title: texts.step.cost,
    number: true,
    render: ({ spendMicroCents }) => money(spendMicroCents, "cost"),
    sortBy: ({ spendMicroCents }) => spendMicroCents,
    text: ({ spendMicroCents }) => spendMicroCents / 100_000_000,
  },
];
