/** A column of a table and of its exports. */
import type { ComponentChildren } from "preact";

export type Column<Row> = {
  key: string;
  title: string;
  render: (row: Row) => ComponentChildren;
  /** Makes the column sortable. Rows that are not loaded yet are not sorted. */
  sortBy?: (row: Row) => string | number | null | undefined;
  /** The value in an export; a column without it is not exported. */
  text?: (row: Row) => string | number | null | undefined;
  /** Not shown at first. */
  hidden?: boolean;
  /** Right-aligned. */
  number?: boolean;
};
