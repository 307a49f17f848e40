/** Columns that the lists of an organisation share. */

import type { ComponentChildren as Shown } from "preact";
import type { Fact } from "../../parts/page.tsx";
import type { Action } from "../actions/action.ts";
import { count } from "../numbers.ts";
import { When } from "../times.tsx";
import { actions } from "./actions.tsx";
import { badge } from "./badge.tsx";
import { linkTo } from "./rows.tsx";
import type { Column } from "./table.tsx";

// biome-ignore lint/suspicious/noExplicitAny: its query determines the row
export type Row = any;

/** GraphQL order by a field. Rows are in the order of their creation by their ids. */
const orderOf = (name: string): string =>
  ["createdAt", "erasedAt", "changedAt"].includes(name) ? "PRIMARY_KEY" : name.replace(/[A-Z]/g, "_$&").toUpperCase();

export const when = (title: string, name: string, none?: string): Column<Row> => ({
  key: name,
  title,
  render: (row) => <When at={row[name]} none={none} />,
  sortBy: (row) => row[name],
  order: orderOf(name),
});
export const text = (title: string, name: string): Column<Row> => ({
  key: name,
  title,
  long: true,
  render: (row) => row[name] ?? "–",
  sortBy: (row) => row[name],
  order: orderOf(name),
});
export const value = (title: string, name: string, format: (value: Row) => Shown = String): Column<Row> => ({
  key: name,
  title,
  render: (row) => format(row[name]),
  sortBy: (row) => {
    const shown = format(row[name]);
    return typeof shown === "string" ? shown : row[name];
  },
  order: orderOf(name),
});
export const number = (title: string, name: string): Column<Row> => ({
  key: name,
  title,
  number: true,
  render: (row) => count(row[name]),
  sortBy: (row) => Number(row[name] ?? 0),
  order: orderOf(name),
});
/** @param name a text of the row: its state, or its status if that says more */
export const state = (name: "state" | "status" | "billingState" = "state", title = "State"): Column<Row> => ({
  key: name,
  title,
  phone: "state",
  render: (row) => badge(row[name]),
  sortBy: (row) => row[name],
  order: orderOf(name),
});
export const person = (title: string, name: string): Column<Row> => ({
  key: name,
  title,
  long: true,
  sortBy: (row) => row[name]?.email,
  render: (row) => row[name] && linkTo("people", row[name].id, row[name].email),
});

/** A column with the actions of a row, their input, and the values of the row that their dialogs show. */
export const actionsColumn = (
  all: (row: Row) => Action[],
  of: (row: Row) => object,
  present: (row: Row) => Fact[],
): Column<Row> => ({
  key: "actions",
  title: "Actions",
  render: (row) => actions(all(row), { organisation: row.organisation, ...of(row) }, present(row)),
});
