/** An answer of the API, whatever it is of: a list as a table, a row as facts. */
import { html, type Shown } from "../html.ts";
import { facts } from "./facts.ts";
import { table } from "./table.ts";

type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

function words(value: unknown): Shown {
  if (value === null || value === undefined) return html`<span class="quiet">–</span>`;
  return typeof value === "object" ? html`<code>${JSON.stringify(value)}</code>` : String(value);
}

export function answered(result: unknown): Shown {
  const data = isRow(result) ? result.data : undefined;
  if (Array.isArray(data)) {
    const rows = data.filter(isRow);
    const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const columns = heads.map((head) => ({ head, long: true, cell: (row: Row) => words(row[head]) }));
    return table("What they see", rows, columns, {
      key: (row) => JSON.stringify(row),
      none: "They see nothing there.",
    });
  }
  return isRow(result)
    ? facts(Object.entries(result).map(([name, value]) => [name, words(value)]))
    : html`<p class="empty">${words(result)}</p>`;
}
