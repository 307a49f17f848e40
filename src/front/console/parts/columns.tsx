/** Columns that the lists of an organisation share. */

import type { ComponentChildren as Shown } from "preact";
import type { Action } from "../actions/action.ts";
import { When } from "../times.tsx";
import { actions } from "./actions.tsx";
import { badge } from "./badge.tsx";
import { linkTo } from "./rows.tsx";
import type { Column } from "./table.tsx";

// biome-ignore lint/suspicious/noExplicitAny: its query determines the row
export type Row = any;

export const when = (title: string, name: string, none?: string): Column<Row> => ({
  key: name,
  title,
  render: (row) => <When at={row[name]} none={none} />,
  sortBy: (row) => row[name],
});
export const text = (title: string, name: string): Column<Row> => ({
  key: name,
  title,
  long: true,
  render: (row) => row[name] ?? "–",
  sortBy: (row) => row[name],
});
export const state = (of: (row: Row) => string = (row) => row.state): Column<Row> => ({
  key: "state",
  title: "State",
  render: (row) => badge(of(row)),
  sortBy: of,
});
export const person = (title: string, name: string): Column<Row> => ({
  key: name,
  title,
  long: true,
  sortBy: (row) => row[name]?.email,
  render: (row) => row[name] && linkTo("people", row[name].id, row[name].email),
});

/** A column with the actions of a row and their input. */
export const actionsColumn = (
  all: (row: Row) => Action[],
  of: (row: Row) => object,
  about: (row: Row) => Shown,
): Column<Row> => ({
  key: "actions",
  title: "Actions",
  render: (row) => actions(all(row), { organisation: row.organisation, ...of(row) }, about(row)) ?? "–",
});
