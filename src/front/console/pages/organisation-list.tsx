/** One list of an organisation, in pages. Each row gets the organisation's id, which its actions need. */
import { useLive } from "../live.ts";
import { shown } from "../parts/states.tsx";
import { type Column, type Page, pager, table } from "../parts/table.tsx";
import type { Place } from "../place.ts";

// biome-ignore lint/suspicious/noExplicitAny: each list has its own type of row
export type List<Row = any> = {
  title: string;
  query: string;
  /** GraphQL field of the organisation. */
  field: string;
  columns: Column<Row>[];
  none: string;
};

type Rows = { nodes: { id: string }[]; pageInfo: Page };

export function OrganisationList({ list, organisation, place }: { list: List; organisation: string; place: Place }) {
  const after = place.query.get("after");
  const answer = useLive<{ organisation: Record<string, Rows> | null }>(list.query, { organisation, first: 50, after });
  return (
    <div class="panel">
      {shown(answer, (data) => {
        const rows = data.organisation?.[list.field];
        return [
          table(
            list.title,
            (rows?.nodes ?? []).map((row) => ({ ...row, organisation })),
            list.columns,
            { key: ({ id }) => id, none: list.none },
          ),
          pager(rows?.pageInfo, after),
        ];
      })}
    </div>
  );
}
