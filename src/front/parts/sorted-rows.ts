/** The rows of a table that contain the words of its filter, in the order of a column. */
import type { Column } from "./column.ts";
import { textOf } from "./export.tsx";

export type Sort = { key: string; descending: boolean };

export function filteredRows<Row>(rows: Row[], columns: Column<Row>[], filter: string): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = columns
      .map((column) => textOf(column, row) ?? "")
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function sortedRows<Row>(rows: Row[], columns: Column<Row>[], sort: Sort | undefined): Row[] {
  const by = columns.find(({ key }) => key === sort?.key)?.sortBy;
  if (!by || !sort) return rows;
  const sign = sort.descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [by(a), by(b)];
    if (left === right) return 0;
    if (left === null || left === undefined) return 1; // missing values last, in both directions
    if (right === null || right === undefined) return -1;
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * collator.compare(String(left), String(right));
  });
}

const collator = new Intl.Collator(undefined, { numeric: true });
