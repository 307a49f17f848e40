/** The use of each limit of the organisation. */
import { LimitList } from "../parts/limit-list.tsx";
import { shareOf, toneOfShare } from "../parts/limit-use.ts";
import { money } from "../parts/money.ts";
import { Section } from "../parts/page.tsx";
import type { Schemas } from "./schemas.ts";
import { type LimitName, overviewTexts } from "./texts/overview.ts";

export type LimitRow = Schemas["Use"] & { name: LimitName };

export const limitRows = (limits: Partial<Schemas["Me"]["limits"]>): LimitRow[] =>
  Object.entries(limits).map(([name, use]) => ({ name: name as LimitName, ...use }));

/** The tone of a limit that is reached or nearly used. */
export const levelOf = (row: LimitRow) => toneOfShare(shareOf(row));

const count = (value: number) => value.toLocaleString();
const spending = (value: number) => money(value, "sum");

export function Limits({ rows }: { rows: LimitRow[] }) {
  const limits = rows.map((row) => ({
    ...row,
    label: overviewTexts.limitName(row.name),
    show: row.name === "monthlySpendMicroCents" ? spending : count,
  }));
  return (
    <Section title={overviewTexts.limits}>
      <LimitList limits={limits} />
    </Section>
  );
}
