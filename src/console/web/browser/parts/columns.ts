/** Columns that the lists of an organisation share. */
import type { Action } from "../actions/action.ts";
import { html, type Shown } from "../html.ts";
import { When } from "../times.ts";
import { actions } from "./actions.ts";
import { badge } from "./badge.ts";
import { linkTo } from "./rows.ts";
import type { Column } from "./table.ts";

// biome-ignore lint/suspicious/noExplicitAny: its query determines the row
export type Row = any;

export const when = (head: string, name: string, none?: string): Column<Row> => ({
  head,
  cell: (row) => html`<${When} at=${row[name]} none=${none} />`,
});
export const text = (head: string, name: string): Column<Row> => ({
  head,
  long: true,
  cell: (row) => row[name] ?? "–",
});
export const state = (of: (row: Row) => string = (row) => row.state): Column<Row> => ({
  head: "State",
  cell: (row) => badge(of(row)),
});
export const person = (head: string, name: string): Column<Row> => ({
  head,
  long: true,
  cell: (row) => row[name] && linkTo("people", row[name].id, row[name].email),
});

/** A column with the actions of a row and their input. */
export const actionsColumn = (
  all: (row: Row) => Action[],
  of: (row: Row) => object,
  about: (row: Row) => Shown,
): Column<Row> => ({
  head: "Actions",
  cell: (row) => actions(all(row), { organisation: row.organisation, ...of(row) }, about(row)) ?? "–",
});
