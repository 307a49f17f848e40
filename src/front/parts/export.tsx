/** Export of a table's loaded rows as CSV and JSON, made in the browser. */
import type { Column } from "./column.ts";
import { partTexts } from "./texts.ts";

export function ExportButtons<Row>({ name, columns, rows }: { name: string; columns: Column<Row>[]; rows: Row[] }) {
  const exported = columns.filter(({ text, sortBy }) => text ?? sortBy);
  const values = () => rows.map((row) => exported.map((column) => textOf(column, row)));
  const csv = () => {
    const lines = [exported.map(({ title }) => title), ...values()].map((line) => line.map(csvField).join(","));
    download(`${name}.csv`, "text/csv", `${lines.join("\r\n")}\r\n`);
  };
  const json = () => {
    const objects = values().map((line) => Object.fromEntries(exported.map(({ key }, index) => [key, line[index]])));
    download(`${name}.json`, "application/json", `${JSON.stringify(objects, null, 2)}\n`);
  };
  return (
    <>
      <button type="button" onClick={csv}>
        {partTexts.export.csv}
      </button>
      <button type="button" onClick={json}>
        {partTexts.export.json}
      </button>
    </>
  );
}

/** The value in an export and for the filter. */
export function textOf<Row>({ text, sortBy }: Column<Row>, row: Row): string | number | null {
  return (text ?? sortBy)?.(row) ?? null;
}

/** RFC 4180. A leading =, +, - or @ gets an apostrophe, because spreadsheets would run it as a formula. */
export function csvField(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function download(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
