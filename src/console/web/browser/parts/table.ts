/** Tables. On a phone each row is a block in which every value has its column's heading. */
import { useEffect, useRef, useState } from "preact/hooks";
import { html, type Shown } from "../html.ts";
import { hereWith } from "../place.ts";
import { empty } from "./states.ts";

export type Column<Row> = {
  head: string;
  cell: (row: Row) => Shown;
  /** Right-aligned. */
  number?: boolean;
  /** Long text: truncated instead of wrapped. */
  long?: boolean;
};

/** Scrolls a wide table. It is focusable then, so that the keyboard can scroll it. */
function Scrolled({ label, children }: { label: string; children?: Shown }) {
  const box = useRef<HTMLDivElement>(null);
  const [wide, set] = useState(false);
  useEffect(() => {
    const look = () => set((box.current?.scrollWidth ?? 0) > (box.current?.clientWidth ?? 0));
    const watch = new ResizeObserver(look);
    look();
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  });
  return html`<div
    class="table"
    ref=${box}
    tabindex=${wide ? "0" : undefined}
    role=${wide ? "region" : undefined}
    aria-label=${wide ? label : undefined}
    >${children}</div
  >`;
}

export function table<Row>(
  caption: string,
  rows: Row[],
  columns: Column<Row>[],
  { key, none }: { key: (row: Row) => string; none: Shown },
) {
  if (rows.length === 0) return empty(none);
  const kind = ({ number, long }: Column<Row>) => (number ? "number" : long ? "long" : "");
  return html`<${Scrolled} label=${caption}
    ><table>
      <caption class="unseen">${caption}</caption>
      <thead
        ><tr>${columns.map((column) => html`<th scope="col" class=${kind(column)}>${column.head}</th>`)}</tr></thead
      >
      <tbody>
        ${rows.map(
          (row) => html`<tr key=${key(row)}>
            ${columns.map((column) => html`<td class=${kind(column)} data-head=${column.head}>${column.cell(row)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table><//
  >`;
}

export type Page = { hasNextPage: boolean; endCursor?: string | null | undefined };

/** Links to the next page by cursor, and back to the first. */
export function pager(page: Page | undefined, after: string | null, name = "after") {
  if (!page?.hasNextPage && !after) return null;
  return html`<nav class="pager" aria-label="Pages">
    ${after ? html`<a href=${hereWith({ [name]: undefined })}>First page</a>` : html`<span></span>`}
    ${page?.hasNextPage && page.endCursor ? html`<a href=${hereWith({ [name]: page.endCursor })} rel="next">Next page</a>` : null}
  </nav>`;
}
