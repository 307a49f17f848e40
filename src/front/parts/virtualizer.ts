/** The virtualiser of TanStack for the rows of a table that scrolls with the window, as a hook of Preact. */
import { observeWindowOffset, observeWindowRect, type Range, Virtualizer, windowScroll } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

/** Pixels, until rows are measured. */
const assumedHeight = 40;

type Given<Row> = {
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The indexes of the rendered rows. */
  rangeOf: (range: Range) => number[];
  overscan: number;
  table: RefObject<HTMLTableElement | null>;
};

export function useVirtualizer<Row>({ rows, rowKey, rangeOf, overscan, table }: Given<Row>) {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [top, setTop] = useState(0);
  const height = useRef(assumedHeight);
  const options = {
    count: rows.length,
    getItemKey: useCallback((index: number) => rowKey(rows[index] as Row), [rows]),
    estimateSize: () => height.current,
    rangeExtractor: rangeOf,
    overscan,
    scrollMargin: top,
    getScrollElement: () => window,
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () => scrollY,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    measureElement: heightOf,
    onChange: () => render(undefined),
  };
  const [core] = useState(() => withoutAnchor(new Virtualizer<Window, HTMLTableRowElement>(options)));
  core.setOptions(options);
  useLayoutEffect(core._didMount, []);
  useLayoutEffect(() => {
    const body = table.current?.tBodies[0];
    if (body) setTop(Math.round(body.getBoundingClientRect().top + scrollY));
    core._willUpdate();
  });
  return { core, remeasure: useCallback(() => remeasure(core, height), []) };
}

type Core = Virtualizer<Window, HTMLTableRowElement>;

/** Where the browser keeps the visible rows in their place, a second correction would move them. */
function withoutAnchor(core: Core): Core {
  if (CSS.supports("overflow-anchor", "auto")) core.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  return core;
}

const heightOf = (row: HTMLTableRowElement) => row.getBoundingClientRect().height;

/** Forgets the heights of another width. Rows that are not rendered get the mean of the rendered ones. */
function remeasure(core: Core, height: { current: number }): void {
  const rendered = [...core.elementsCache.values()].filter(({ isConnected }) => isConnected);
  const sum = rendered.reduce((total, row) => total + heightOf(row), 0);
  if (sum > 0) height.current = Math.round(sum / rendered.length);
  core.measure();
  rendered.forEach(core.measureElement);
}
