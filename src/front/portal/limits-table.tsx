/** The use of each limit of the organisation. */
import type { Column } from "../parts/column.ts";
import { shareOf, toneOfShare } from "../parts/limit-use.ts";
import { money } from "../parts/money.ts";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import type { Schemas } from "./schemas.ts";
import { type LimitName, overviewTexts } from "./texts/overview.ts";

const texts = overviewTexts.limits;

export type LimitRow = Schemas["Use"] & { name: LimitName };

export const limitRows = (limits: Partial<Schemas["Me"]["limits"]>): LimitRow[] =>
  Object.entries(limits).map(([name, use]) => ({ name: name as LimitName, ...use }));

/** The tone of a limit that is reached or nearly used. */
export const levelOf = (row: LimitRow) => toneOfShare(shareOf(row));

const shown = (name: LimitName, value: number) =>
  name === "monthlySpendMicroCents" ? money(value, "sum") : value.toLocaleString();

export function LimitsTable({ rows }: { rows: LimitRow[] }) {
  return (
    <Section title={texts.title}>
      <Table
        caption={texts.title}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        empty=""
        isFilterable
        exportName="limits"
      />
    </Section>
  );
}

const columns: Column<LimitRow>[] = [
  {
    key: "name",
    title: texts.columns.limit,
    render: ({ name }) => overviewTexts.limitName(name),
    sortBy: ({ name }) => overviewTexts.limitName(name),
    text: ({ name }) => name,
  },
  {
    key: "used",
    title: texts.columns.used,
    render: (row) => (
      <div class="use">
        <span>{shown(row.name, row.used)}</span>
        {row.limit !== null && (
          <meter
            class={levelOf(row) ?? ""}
            value={Math.min(shareOf(row), 1)}
            aria-label={overviewTexts.limitName(row.name)}
          />
        )}
      </div>
    ),
    sortBy: shareOf,
    text: ({ used }) => used,
  },
  {
    key: "limit",
    title: texts.columns.maximum,
    number: true,
    render: ({ name, limit }) => (limit === null ? texts.unlimited : shown(name, limit)),
    sortBy: ({ limit }) => limit,
  },
];
