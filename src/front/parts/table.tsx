/**
 * A table with sorting, a choice of columns, export and "Load more". Long tables render only the rows near the visible part.
 * On a phone each row is two lines, or a block in which every value has its column's title.
 */
import { type ComponentChildren, Fragment } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import type { Column } from "./column.ts";
import { ExportButtons } from "./export.tsx";
import { Failure } from "./failure.tsx";
import { emptyState, Loading } from "./page.tsx";
import { Scrolled } from "./scrolled.tsx";
import { filteredRows, type Sort, sortedRows } from "./sorted-rows.ts";
import { partTexts } from "./texts.ts";
import { useVisibleRows } from "./visible-rows.ts";

export type TableProps<Row> = {
  /** Names the table for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** Shown instead of a table without rows. */
  empty: ComponentChildren;
  loading?: boolean;
  error?: Error | undefined;
  /** After an error. */
  retry?: (() => void) | null;
  /** Loads the next page. */
  more?: (() => void) | undefined;
  /** The server sorts and filters all rows, not only the loaded ones. Orders are a column's with _ASC or _DESC. */
  server?: { order: string; onSort: (order: string) => void };
  /** The list has filters of its own above the table. */
  isFilterable?: boolean;
  /** File name of exports, without extension; no export without it. */
  exportName?: string;
};

/** Shorter tables have no filter. */
const filterFrom = 10;

export function Table<Row>(props: TableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    empty,
    loading = false,
    error,
    retry = null,
    more,
    server,
    isFilterable = server !== undefined,
    exportName,
  } = props;
  const [sort, setSort] = useState<Sort>();
  const isShort = columns.some(({ phone }) => phone === "title");
  const [hidden, setHidden] = useState(() => hiddenAtFirst(columns, isShort));
  const shown = columns.filter(({ key }) => !hidden.has(key));
  const [filter, setFilter] = useState("");
  const sorted = useMemo(
    () => sortedRows(filteredRows(rows, columns, filter), columns, sort),
    [rows, columns, filter, sort],
  );
  // It searches the loaded rows, so it is there only if these are all.
  const hasOwnFilter = !isFilterable && !more;
  const { table, visible, below, measure } = useVisibleRows(sorted, rowKey, shown.map(({ key }) => key).join());

  if (rows.length === 0 && loading) return <Loading />;
  if (rows.length === 0 && error) return <Failure error={error} retry={retry} />;
  if (rows.length === 0) return typeof empty === "string" ? emptyState(empty) : empty;
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    setHidden(next);
  };
  const sortOf = ({ key, sortBy, order }: Column<Row>): SortProps => {
    if (!server) return { onSort: sortBy && ((descending) => setSort({ key, descending })), ...stateOf(sort, key) };
    const [, name, direction] = /^(.*)_(ASC|DESC)$/.exec(server.order) ?? [];
    return {
      onSort: order && ((descending) => server.onSort(`${order}_${descending ? "DESC" : "ASC"}`)),
      ...stateOf(name && direction ? { key: name, descending: direction === "DESC" } : undefined, order),
    };
  };
  return (
    <div class="table-part">
      <Failure error={error} retry={retry} />
      {hasOwnFilter && (filter !== "" || rows.length >= filterFrom) && (
        <input
          class="table-filter"
          type="search"
          aria-label={partTexts.table.filterOf(caption)}
          placeholder={partTexts.table.filter}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <Scrolled label={caption}>
        <table ref={table} class={isShort ? "short" : undefined} aria-rowcount={sorted.length + 1}>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {shown.map((column) => (
                <Head key={column.key} column={column} {...sortOf(column)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.map(({ row, index, above }) => (
              <Fragment key={rowKey(row)}>
                {above > 0 && <Spacer height={above} columns={shown.length} />}
                <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
                  {shown.map((column) => (
                    <td key={column.key} class={kindOf(column)} data-head={column.title}>
                      {column.render(row)}
                    </td>
                  ))}
                </tr>
              </Fragment>
            ))}
            {below > 0 && <Spacer height={below} columns={shown.length} />}
          </tbody>
        </table>
      </Scrolled>
      <footer class="table-foot">
        <span class="quiet">
          {partTexts.table.rows(rows.length, filter === "" ? undefined : sorted.length, more !== undefined)}
        </span>
        {more && (
          <button type="button" onClick={more} disabled={loading}>
            {loading ? partTexts.table.loading : partTexts.table.more}
          </button>
        )}
        <span class="table-tools">
          {columns.length > 2 && <ColumnChoice columns={columns} hidden={hidden} onToggle={toggle} />}
          {exportName && <ExportButtons name={exportName} columns={columns} rows={sorted} />}
        </span>
      </footer>
    </div>
  );
}

type SortProps = {
  direction: "none" | "ascending" | "descending";
  /** Missing for columns without an order. */
  onSort: ((descending: boolean) => void) | undefined | "";
};

function stateOf(sort: Sort | undefined, key: string | undefined): Pick<SortProps, "direction"> {
  return { direction: !sort || sort.key !== key ? "none" : sort.descending ? "descending" : "ascending" };
}

function Head<Row>({ column, direction, onSort }: SortProps & { column: Column<Row> }) {
  const { title } = column;
  const kind = kindOf(column);
  if (!onSort) {
    return (
      <th scope="col" class={kind}>
        {title}
      </th>
    );
  }
  return (
    <th scope="col" class={kind} aria-sort={direction}>
      <button type="button" class="sort" onClick={() => onSort(direction === "ascending")}>
        {title}
        <span aria-hidden="true">{{ none: "", ascending: " ↑", descending: " ↓" }[direction]}</span>
      </button>
    </th>
  );
}

type ChoiceProps<Row> = { columns: Column<Row>[]; hidden: Set<string>; onToggle: (key: string) => void };

function ColumnChoice<Row>({ columns, hidden, onToggle }: ChoiceProps<Row>) {
  const id = useId();
  return (
    <>
      <button type="button" popoverTarget={id}>
        {partTexts.table.columns}
      </button>
      <div id={id} popover="auto" class="menu">
        {columns.map(({ key, title }) => (
          <label key={key} class="tick">
            <input type="checkbox" checked={!hidden.has(key)} onChange={() => onToggle(key)} />
            {title}
          </label>
        ))}
      </div>
    </>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  // A row of this height stands for the rows that are not rendered.
  const size = (cell: HTMLTableCellElement | null) => {
    if (cell) cell.style.height = `${height}px`;
  };
  return (
    <tr class="spacer">
      <td ref={size} colSpan={columns} />
    </tr>
  );
}

const kindOf = <Row,>({ number, long, phone }: Column<Row>) =>
  [number ? "number" : long && "long", phone && `phone-${phone}`].filter(Boolean).join(" ") || undefined;

/** @param isShort rows have two lines on a phone */
function hiddenAtFirst<Row>(columns: Column<Row>[], isShort: boolean): Set<string> {
  const isPhone = isShort && matchMedia("(max-width: 40rem)").matches;
  return new Set(columns.filter(({ hidden, phone }) => hidden || (isPhone && !phone)).map(({ key }) => key));
}
