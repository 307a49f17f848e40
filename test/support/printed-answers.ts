/** Answers of PostgreSQL as the documentation prints them: in psql's form, and equal in every run. */

export type Answer = { fields: string[]; rows: (string | null)[][] };

const maxRows = 4;
/** In characters. */
const maxCell = 44;

/** What differs from run to run, and the example that is printed instead. */
const examples: [RegExp, string][] = [
  [/(?!0{8}-)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "019ad0c4-…"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00/g, "2026-11-24 10:15:03+00"],
  [/\bbsk_\w{8}/g, "bsk_1wcwQ0Zr"],
  [/\\x[0-9a-f]{8,}/g, "\\x9f2c…"],
  [/\b[0-9a-f]{16,64}\b/g, "9f2c…"],
  [/[A-Za-z0-9+/]{43}=/g, "mZ3qW…="],
  [/_20\d{6}/g, "_20261123"],
  [/\btest_\w+/g, "botstead"],
  [/\d+ (bytes|kB|MB)\b/g, "16 kB"],
];

function printCell(cell: string | null): string {
  let text = (cell ?? "").replace(/\s+/g, " ");
  for (const [pattern, example] of examples) text = text.replace(pattern, example);
  return text.length > maxCell ? `${text.slice(0, maxCell - 1)}…` : text;
}

/** The rows as psql prints them, without trailing spaces. Empty if there is no row, or a list that is too long to print. */
export function printAnswer({ fields, rows }: Answer): string {
  if (rows.length === 0 || rows.length > maxRows) return "";
  const cells = rows.map((row) => row.map(printCell));
  const widths = fields.map((field, index) => Math.max(field.length, ...cells.map((row) => row[index]?.length ?? 0)));
  const line = (row: string[]) => ` ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" | ")}`.trimEnd();
  return [line(fields), widths.map((width) => "-".repeat(width + 2)).join("+"), ...cells.map(line)].join("\n");
}
