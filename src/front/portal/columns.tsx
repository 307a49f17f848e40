/** Columns that show one field of a row. */
import type { ComponentChildren } from "preact";
import { State } from "../parts/badge.tsx";
import type { Column } from "../parts/column.ts";
import { Time } from "../parts/time.tsx";

type With<Name extends string, Value> = Record<Name, Value>;

export const textColumn = <Row extends With<Name, string | null>, Name extends string>(
  name: Name,
  title: string,
): Column<Row> => ({ key: name, title, render: (row) => row[name], sortBy: (row) => row[name] });

/** @param words the shown text for each value */
export const wordColumn = <Row extends With<Name, string>, Name extends string>(
  name: Name,
  title: string,
  words: Record<Row[Name], string>,
): Column<Row> => ({ key: name, title, render: (row) => words[row[name]], sortBy: (row) => row[name] });

export const countColumn = <Row extends With<Name, number>, Name extends string>(
  name: Name,
  title: string,
): Column<Row> => ({
  ...{ key: name, title, number: true },
  render: (row) => row[name].toLocaleString(),
  sortBy: (row) => row[name],
});

/** @param relativeToo adds how long ago it was, or in how long it will be */
export const timeColumn = <Row extends With<Name, string | null>, Name extends string>(
  name: Name,
  title: string,
  relativeToo?: "relativeToo",
): Column<Row> => ({
  ...{ key: name, title },
  render: (row) => <Time at={row[name]} relativeToo={relativeToo !== undefined} />,
  sortBy: (row) => row[name],
});

/** An id or a prefix, hidden at first. */
export const codeColumn = <Row extends With<Name, string>, Name extends string>(
  name: Name,
  title: string,
): Column<Row> => ({
  ...{ key: name, title, hidden: true },
  render: (row) => <code>{row[name]}</code>,
  text: (row) => row[name],
});

/** @param reason shown below the state */
export const stateColumn = <Row extends { state: string }>(
  title: string,
  reason?: (row: Row) => ComponentChildren,
): Column<Row> => ({
  ...{ key: "state", title, phone: "state" },
  render: (row) => {
    const below = reason?.(row);
    return (
      <>
        <State state={row.state} />
        {below && <span class="sub">{below}</span>}
      </>
    );
  },
  sortBy: ({ state }) => state,
});

export const botColumn = <Row extends { botId: string }>(
  title: string,
  nameOf: (botId: string) => string,
): Column<Row> => ({
  ...{ key: "bot", title },
  render: ({ botId }) => nameOf(botId),
  sortBy: ({ botId }) => nameOf(botId),
});
