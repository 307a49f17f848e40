/** The rows of a long table near the visible part of the window, so that 10,000 rows cost as little as 100. */
import { defaultRangeExtractor, type Range, type Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useFixedColumns } from "./fixed-columns.ts";
import { useVirtualizer } from "./virtualizer.ts";

/** Tables up to this length are rendered whole: find in page works then. */
const maxWhole = 200;
/** Rows beyond the visible part, above and below. */
const overscan = 30;

export type VisibleRow<Row> = {
  row: Row;
  index: number;
  /** Height in pixels of the rows between the rendered row before and this one. */
  above: number;
};

export type VisibleRows<Row> = {
  table: RefObject<HTMLTableElement | null>;
  visible: VisibleRow<Row>[];
  /** Height in pixels of the rows after the last rendered one. */
  below: number;
  /** Reference of each rendered row, which needs the attribute `data-index` too. */
  measure: (row: HTMLTableRowElement | null) => void;
};

/** @param columns names the shown columns */
export function useVisibleRows<Row>(rows: Row[], rowKey: (row: Row) => string, columns: string): VisibleRows<Row> {
  const table = useRef<HTMLTableElement>(null);
  const isWhole = usePrinting() || rows.length <= maxWhole;
  const rangeOf = useCallback(
    (range: Range) => (isWhole ? indexes(0, range.count - 1) : withFocused(range, table.current)),
    [isWhole],
  );
  const { core, remeasure } = useVirtualizer({ rows, rowKey, rangeOf, overscan, table });
  useFixedColumns(table, rows.length > maxWhole, columns, remeasure);
  return { table, ...placed(core, rows), measure: core.measureElement };
}

function placed<Row>(core: Virtualizer<Window, HTMLTableRowElement>, rows: Row[]) {
  const items = core.getVirtualItems();
  let end = core.options.scrollMargin;
  const bottom = end + core.getTotalSize();
  const visible: VisibleRow<Row>[] = [];
  for (const item of items) {
    const row = rows[item.index];
    if (row === undefined) continue;
    visible.push({ row, index: item.index, above: item.start - end });
    end = item.end;
  }
  return { visible, below: bottom - end };
}

const indexes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The row with the focus stays, with its neighbours, so that Tab continues there. */
function withFocused(range: Range, table: HTMLTableElement | null): number[] {
  const near = defaultRangeExtractor(range);
  const focused = document.activeElement?.closest("tr[data-index]");
  if (!focused || !table?.contains(focused)) return near;
  const index = Number(focused.getAttribute("data-index"));
  const kept = indexes(Math.max(0, index - 1), Math.min(range.count - 1, index + 1));
  return [...new Set([...near, ...kept])].sort((a, b) => a - b);
}

/** Whether the page is being printed: paper has no visible part. */
function usePrinting(): boolean {
  const [isPrinting, set] = useState(false);
  useEffect(() => {
    const [start, end] = [() => set(true), () => set(false)];
    addEventListener("beforeprint", start);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", start);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}
