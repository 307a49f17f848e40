/** Adds up the reports of the tests: one row for each scenario, and a verdict over all of them. */
import type { Counts, Report } from "../../test/support/reliability.ts";

export type FileResult = {
  file: string;
  reports: Report[];
  failed: { test: string; why: string }[];
  /** Tests that this machine cannot run; their names say what is missing. */
  skipped: string[];
};

export type Row = Counts & { name: string };

const columns = ["acknowledged", "lost", "doubled", "unexpected"] as const;

/** One row for each reported name, in the order of their first reports. */
export function rowsOf(reports: Report[]): Row[] {
  return [...Map.groupBy(reports, ({ name }) => name)].map(([name, ofName]) => {
    const notes = ofName.flatMap(({ note }) => note ?? []);
    return { name, ...sum(ofName), ...(notes.length > 0 ? { note: [...new Set(notes)].join("; ") } : {}) };
  });
}

export function sum(all: Counts[]): Omit<Counts, "note"> {
  const total = { acknowledged: 0, lost: 0, doubled: 0, unexpected: 0 };
  for (const counts of all) for (const column of columns) total[column] += counts[column];
  return total;
}

/** Formats the rows for a terminal, in aligned columns with a total. */
export function table(files: FileResult[]): string {
  const rows = files.flatMap(({ reports }) => rowsOf(reports));
  const cells = [
    ["", ...columns, ""],
    ...[...rows, { name: "total", ...sum(rows) } as Row].map((row) => [
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

/** Other suites, such as the suites of the command line, pass or fail without counts. */
export const mustReport = ({ file }: FileResult): boolean => /(^|\/)test\/(fault|hostile)\//.test(file);

/**
 * The exit code is 0 if fault tests reported counts, no test failed, and nothing was lost, doubled or unexpected. It is 2
 * if anything was lost or doubled, because a second run must not excuse that, and otherwise 1.
 */
export function judge(files: FileResult[]): { verdict: string; exitCode: 0 | 1 | 2 } {
  const reports = files.flatMap((result) => result.reports);
  const { lost, doubled, unexpected } = sum(reports);
  const failed = files.flatMap((result) => result.failed.map((each) => ({ file: result.file, ...each })));
  const skipped = files.flatMap((result) => result.skipped);
  const lines = [
    ...failed.map(({ file, test, why }) => `Failed: ${file}: ${test}: ${why}`),
    ...skipped.map((test) => `Skipped: ${test}`),
  ];
  const lacksReports = reports.length === 0 && (files.length === 0 || files.some(mustReport));
  if (lacksReports) lines.push("No test reported counts.");
  else if (lost + doubled + unexpected > 0) lines.push("Something was lost, doubled or unexpected.");
  const good = !lacksReports && failed.length === 0 && lost + doubled + unexpected === 0;
  if (good) lines.push("Nothing was lost, doubled or unexpected.");
  return { verdict: lines.join("\n"), exitCode: lost + doubled > 0 ? 2 : good ? 0 : 1 };
}
