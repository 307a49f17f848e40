/** Output of the commands for people on call: aligned text in UTC with ages, or JSON. */
import type { Command } from "commander";
import { DatabaseError } from "pg";
import { oneLine, print as printText, safeJson } from "../terminal.ts";

export type Format = { json?: true | undefined };

/** A value of a row as pg returns it. */
export type Value = string | number | boolean | Date | null | undefined | string[] | object;
export type Row = Record<string, Value>;

/** `unknown` names what the database does not have, such as requests that were only logged. */
export type Section = { title: string; rows: Row[]; none?: string };
export type Report = { at: Date; sections: Record<string, Section>; unknown?: string[] };

export function printable(command: Command): Command {
  return command.option("--json", "as JSON, with times in ISO 8601");
}

/** Prints a report. Each section is a list of rows in JSON; as text, one row is a list of facts, several are a table. */
export function print(report: Report, { json }: Format): void {
  printText(json ? `${safeJson(asJson(report), 2)}\n` : asText(report));
}

/** Prints what a command did: a sentence, or the row that it changed. */
export function printChange(sentence: string, row: Row, { json }: Format): void {
  printText(`${json ? safeJson(row, 2) : sentence}\n`);
}

/** Prints a list for scripts: a line for each row with tabs between its columns, or the rows as JSON. */
export function printList<Item extends object>(rows: Item[], columns: (row: Item) => string[], { json }: Format): void {
  const lines = rows.map((row) => `${columns(row).map(oneLine).join("\t")}\n`).join("");
  printText(json ? `${safeJson(rows, 2)}\n` : lines);
}

function asJson({ at, sections, unknown }: Report): object {
  const rows = Object.entries(sections).map(([name, section]) => [name, section.rows]);
  return { at, ...Object.fromEntries(rows), ...(unknown ? { unknown } : {}) };
}

function asText({ at, sections, unknown = [] }: Report): string {
  const lines = Object.values(sections).flatMap(({ title, rows, none = "none" }) => [
    title,
    ...(rows.length === 0 ? [`  ${none}`] : rows.length === 1 ? facts(rows[0] as Row, at) : table(rows, at)),
    "",
  ]);
  if (unknown.length > 0) lines.push("Not known here", ...unknown.map((line) => `  ${line}`), "");
  return `${lines.join("\n")}As of ${shown(at)}\n`;
}

function facts(row: Row, at: Date): string[] {
  const present = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...present.map(([name]) => labelOf(name).length));
  return present.map(([name, value]) => `  ${labelOf(name).padEnd(width)}  ${shown(value, at)}`.trimEnd());
}

/** Columns without any value are left out. */
function table(rows: Row[], at: Date): string[] {
  const names = Object.keys(rows[0] as Row).filter((name) => rows.some((row) => row[name] !== null));
  const cells = [names.map(labelOf), ...rows.map((row) => names.map((name) => shown(row[name], at)))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
}

const labelOf = (name: string): string => name.replaceAll("_", " ");

function shown(value: Value, at?: Date): string {
  if (value === null || value === undefined) return "-";
  if (value instanceof Date)
    return `${value.toISOString().slice(0, 19).replace("T", " ")} UTC${at ? age(value, at) : ""}`;
  if (Array.isArray(value)) return oneLine(value.join(", ")) || "-";
  if (typeof value === "object") return safeJson(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return oneLine(String(value));
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** " (5 min ago)" or " (in 3 h)". */
function age(time: Date, at: Date): string {
  const ms = at.getTime() - time.getTime();
  const [unit, size] = units.find(([, each]) => Math.abs(ms) >= each) ?? ["s", 1_000];
  const count = Math.round(Math.abs(ms) / size);
  return ms < 0 ? ` (in ${count} ${unit})` : ` (${count} ${unit} ago)`;
}

/** An id of the command line. Text of another form would be an error of the database. */
export function uuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) {
    throw new Error(
      `"${text.slice(0, 60)}" is no id: an id has 36 characters, such as 01a1f964-3b2c-7000-8000-000000000000.`,
    );
  }
  return text.toLowerCase();
}

/** "1 fault", "2 faults". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The sentence for a refusal of SQL. */
export function explain(sentences: Record<string, string>): (error: Error) => never {
  return (error) => {
    if (!(error instanceof DatabaseError) || error.code !== "OA001") throw error;
    throw new Error(sentences[error.message] ?? `Refused: ${error.message}.`);
  };
}
