/** What was told, summed up: a line for each thing that was done, and a verdict over all. */
import type { Counts, Told } from "../../test/support/reliability.ts";

export type FileResult = {
  file: string;
  told: Told[];
  failed: { test: string; why: string }[];
  /** Tests that need what this machine has not; their names say what. */
  leftOut: string[];
};

export type Row = Counts & { name: string };

const columns = ["acknowledged", "lost", "doubled", "unexpected"] as const;

/** A row for each name that was told, in the order in which they were first told. */
export function rowsOf(told: Told[]): Row[] {
  return [...Map.groupBy(told, ({ name }) => name)].map(([name, those]) => {
    const notes = those.flatMap(({ note }) => note ?? []);
    return { name, ...sum(those), ...(notes.length > 0 ? { note: [...new Set(notes)].join("; ") } : {}) };
  });
}

export function sum(all: Counts[]): Omit<Counts, "note"> {
  const total = { acknowledged: 0, lost: 0, doubled: 0, unexpected: 0 };
  for (const counts of all) for (const column of columns) total[column] += counts[column];
  return total;
}

/** For a terminal: the columns stand below each other, with their totals. */
export function table(files: FileResult[]): string {
  const rows = files.flatMap(({ told }) => rowsOf(told));
  const cells = [
    ["", ...columns, ""],
    ...[...rows, { name: "altogether", ...sum(rows) } as Row].map((row) => [
      row.name,
      ...columns.map((column) => row[column].toLocaleString("en")),
      row.note ?? "",
    ]),
  ];
  const widths = cells[0]?.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0))) ?? [];
  const pad = (cell: string, index: number) => {
    if (index === 0) return cell.padEnd(widths[0] ?? 0);
    return index > columns.length ? cell : cell.padStart(widths[index] ?? 0);
  };
  return cells.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

/** Good when something was told, nothing failed, and nothing was lost, doubled or unexpected. */
export function judge(files: FileResult[]): { verdict: string; good: boolean } {
  const told = files.flatMap(({ told }) => told);
  const { lost, doubled, unexpected } = sum(told);
  const failed = files.flatMap(({ file, failed }) => failed.map((each) => ({ file, ...each })));
  const leftOut = files.flatMap(({ leftOut }) => leftOut);
  const lines = [
    ...failed.map(({ file, test, why }) => `Failed: ${file}: ${test}: ${why}`),
    ...leftOut.map((test) => `Left out: ${test}`),
  ];
  if (told.length === 0) lines.push("Nothing was told.");
  else if (lost + doubled + unexpected > 0) lines.push("Something was lost, doubled or unexpected.");
  const good = told.length > 0 && failed.length === 0 && lost + doubled + unexpected === 0;
  if (good) lines.push("Nothing was lost, nothing doubled, and nothing unexpected.");
  return { verdict: lines.join("\n"), good };
}
