/** The rows of a long table near the visible part of the window, so that 10,000 rows cost as little as 100. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Tables up to this length are rendered whole: find in page and printing work then. */
const maxWhole = 200;
/** Rows beyond the visible part, above and below. */
const margin = 40;

export type VisibleRows<Row> = {
  body: RefObject<HTMLTableSectionElement | null>;
  visible: Row[];
  /** Height in pixels of the rows that are not rendered above and below. */
  above: number;
  below: number;
};

export function useVisibleRows<Row>(rows: Row[]): VisibleRows<Row> {
  const body = useRef<HTMLTableSectionElement>(null);
  const [{ first, rowHeight }, set] = useState({ first: 0, rowHeight: 36 });
  const isLong = rows.length > maxWhole;
  const count = Math.ceil((globalThis.innerHeight || 800) / rowHeight) + 2 * margin;

  useEffect(() => {
    if (!isLong) return;
    const look = () => {
      const element = body.current;
      if (!element) return;
      const [row] = element.querySelectorAll<HTMLTableRowElement>("tr:not(.spacer)");
      const height = row?.offsetHeight || rowHeight;
      const scrolled = Math.max(0, -element.getBoundingClientRect().top);
      // Steps of half a margin: not every scroll event renders.
      const step = margin / 2;
      const start = Math.max(0, Math.floor(scrolled / height / step) * step - margin);
      set((last) => (last.first === start && last.rowHeight === height ? last : { first: start, rowHeight: height }));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [isLong, rows.length, rowHeight]);

  if (!isLong) return { body, visible: rows, above: 0, below: 0 };
  const start = Math.min(first, Math.max(0, rows.length - count));
  const end = Math.min(rows.length, start + count);
  return { body, visible: rows.slice(start, end), above: start * rowHeight, below: (rows.length - end) * rowHeight };
}
