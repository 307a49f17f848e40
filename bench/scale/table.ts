/** What was measured of few rows and of many, beside each other. */
import { median } from "../median.ts";

/** What calls took, ms, and what the connection's process spent on one, µs. */
export type Figures = { ms: number[]; us: number[] };
export type Found = { label: string; few: Figures; many: Figures };

/** In Markdown. @param drops how long a week took to drop, ms; as `rows`, of the one with few and the one with many */
export function table(found: Found[], drops: [number, number], rows: [number, number]): string {
  const [few, many] = rows.map((each) => each.toLocaleString("en"));
  const lines = [
    `| | p50 ms, ${few} | ${many} | ratio | CPU of PostgreSQL µs, ${few} | ${many} | ratio |`,
    "|---|--:|--:|--:|--:|--:|--:|",
  ];
  const cells = (a: number[], b: number[], digits: number) =>
    a.length === 0
      ? ["", "", ""]
      : [median(a).toFixed(digits), median(b).toFixed(digits), (median(b) / median(a)).toFixed(2)];
  for (const { label, few: a, many: b } of found) {
    lines.push(`| ${[label, ...cells(a.ms, b.ms, 2), ...cells(a.us, b.us, 0)].join(" | ")} |`);
  }
  lines.push(`| ${["a week of one kind dropped", ...cells([drops[0]], [drops[1]], 2), "", "", ""].join(" | ")} |`);
  return lines.join("\n");
}
