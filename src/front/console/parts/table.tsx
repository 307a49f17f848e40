/** Tables of one page of a list, with links to its other pages. */
import type { ComponentChildren as Shown } from "preact";
import type { Column } from "../../parts/column.ts";
import { emptyState, type Purpose } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { hereWith } from "../place.ts";

export type { Column };

export function table<Row>(
  caption: string,
  rows: Row[],
  columns: Column<Row>[],
  { key, none, start }: { key: (row: Row) => string; none: Purpose; start?: Shown },
) {
  const name = caption.replace(/,.*/, "").toLowerCase().replaceAll(" ", "-");
  return (
    <Table
      caption={caption}
      rows={rows}
      columns={columns}
      rowKey={key}
      empty={emptyState(none, start)}
      {...(rows.length > 1 ? { exportName: name } : {})}
    />
  );
}

export type Page = { hasNextPage: boolean; endCursor?: string | null | undefined };

/** Links to the next page by cursor, and back to the first. */
export function pager(page: Page | undefined, after: string | null, name = "after") {
  if (!page?.hasNextPage && !after) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {after ? <a href={hereWith({ [name]: undefined })}>First page</a> : <span />}
      {page?.hasNextPage && page.endCursor ? (
        <a href={hereWith({ [name]: page.endCursor })} rel="next">
          Next page
        </a>
      ) : null}
    </nav>
  );
}
