/** The table of a list of rows with ids. */

import type { ComponentChildren } from "preact";
import type { Column } from "../parts/column.ts";
import { useFilterable } from "../parts/filter-line.tsx";
import type { LoadedList } from "../parts/list.ts";
import { emptyState } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";

type Props<Row> = {
  list: Omit<LoadedList<Row>, "reload">;
  columns: Column<Row>[];
  /** `noMatch` takes the place of `empty` while filters are set. */
  texts: { caption: string; empty: string; noMatch?: string };
  isFiltered?: boolean;
  /** File name of exports, without extension; no export without it. */
  exportName?: string;
  /** Above the panel, unless there is nothing to filter. */
  filters?: ComponentChildren;
  /** The button of an empty list. */
  start?: ComponentChildren;
  /** Above the table. */
  children?: ComponentChildren;
};

export function ListPanel<Row extends { id: string }>(props: Props<Row>) {
  const { list, columns, texts, isFiltered = false, exportName, filters, start, children } = props;
  const isFilterable = useFilterable(list, isFiltered);
  const { caption, empty, noMatch = empty } = texts;
  return (
    <>
      {isFilterable && filters}
      <div class="panel">
        {children}
        <Table
          {...list}
          caption={caption}
          columns={columns}
          rowKey={({ id }) => id}
          empty={isFiltered ? noMatch : emptyState(empty, start)}
          isFilterable={filters !== undefined}
          {...(exportName ? { exportName } : {})}
        />
      </div>
    </>
  );
}
