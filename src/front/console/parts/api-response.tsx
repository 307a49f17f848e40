/** Renders any API response: a list as a table, an object as facts. */
import type { ComponentChildren as Shown } from "preact";
import { facts } from "./facts.tsx";
import { table } from "./table.tsx";

type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

function text(value: unknown): Shown {
  if (value === null || value === undefined) return <span class="quiet">–</span>;
  return typeof value === "object" ? <code>{JSON.stringify(value)}</code> : String(value);
}

export function apiResponse(result: unknown): Shown {
  const data = isRow(result) ? result.data : undefined;
  if (Array.isArray(data)) {
    const rows = data.filter(isRow);
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const columns = names.map((name) => ({
      key: name,
      title: name,
      long: true,
      render: (row: Row) => text(row[name]),
    }));
    return table("Response", rows, columns, {
      key: (row) => JSON.stringify(row),
      none: "The list is empty.",
    });
  }
  return isRow(result) ? (
    facts(Object.entries(result).map(([name, value]) => [name, text(value)]))
  ) : (
    <p class="empty">{text(result)}</p>
  );
}
