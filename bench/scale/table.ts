/** The table that compares few rows and many rows. */
import { median } from "../median.ts";

/** Latencies of calls in ms, and processor time of the backend process for one call in µs. */
export type Figures = { ms: number[]; us: number[] };
export type Comparison = { label: string; few: Figures; many: Figures };

/** Returns a Markdown table. @param drops time to drop a weekly partition in ms, with few and with many rows */
export function table(comparisons: Comparison[], drops: [number, number], rows: [number, number]): string {
  const [few, many] = rows.map((each) => each.toLocaleString("en"));
  const lines = [
    `| | p50 ms, ${few} | ${many} | ratio | CPU of PostgreSQL µs, ${few} | ${many} | ratio |`,
    "|---|--:|--:|--:|--:|--:|--:|",
  ];
  const cells = (a: number[], b: number[], digits: number) =>
    a.length === 0
      ? ["", "", ""]
      : [median(a).toFixed(digits), median(b).toFixed(digits), (median(b) / median(a)).toFixed(2)];
  for (const { label, few: a, many: b } of comparisons) {
    lines.push(`| ${[label, ...cells(a.ms, b.ms, 2), ...cells(a.us, b.us, 0)].join(" | ")} |`);
  }
  lines.push(`| ${["drop of a weekly partition", ...cells([drops[0]], [drops[1]], 2), "", "", ""].join(" | ")} |`);
  return lines.join("\n");
}
