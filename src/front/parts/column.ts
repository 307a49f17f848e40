/** A column of a table and of its exports. */
import type { ComponentChildren } from "preact";

export type Column<Row> = {
  key: string;
  title: string;
  render: (row: Row) => ComponentChildren;
  /** Makes the column sortable. Rows that are not loaded yet are not sorted. */
  sortBy?: (row: Row) => string | number | null | undefined;
  /** Name of the order at a server that sorts, without its direction. */
  order?: string;
  /** The value in an export and for the filter, as sortBy if missing. */
  text?: (row: Row) => string | number | null | undefined;
  /** Not shown at first. */
  hidden?: boolean;
  /** Long text, which may wrap. */
  long?: boolean;
  /** Right-aligned. */
  number?: boolean;
  /**
   * Place on a phone: the title and what is beside it on the first line, state and time on the second. A list with a title
   * hides its other columns there at first.
   */
  phone?: "title" | "beside" | "state" | "time";
};
