/**
 * `npm run prose [-- options] [paths]`: checks the prose of documents, comments and test titles, and the terms of the
 * glossary in names too. Rules: tools/prose/rules.ts, terms.ts and wording.ts. Exits with 1 if there are errors.
 *
 * - `--warnings` also prints warnings: passive voice, weak wording, words that are often wrong.
 * - `--count-by-file` prints one line per file: the number of its findings.
 * - `--count-by-folder` prints one line per folder.
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkFile } from "./check.ts";
import { listFiles } from "./files.ts";
import type { Finding } from "./finding.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    warnings: { type: "boolean", default: false },
    "count-by-file": { type: "boolean", default: false },
    "count-by-folder": { type: "boolean", default: false },
  },
});

const paths = positionals.map((path) => {
  const fromRoot = relative(root, path);
  return fromRoot.startsWith("..") ? path : fromRoot;
});
const files = listFiles(root, paths);
const findings: Finding[] = [];
for (const file of files) findings.push(...(await checkFile(root, file, options.warnings)));

if (options["count-by-file"]) printCounts(({ file }) => file);
else if (options["count-by-folder"])
  printCounts(({ file }) => file.split("/").slice(0, -1).slice(0, 2).join("/") || ".");
else
  for (const { file, line, level, message } of findings)
    console.log(`${file}:${line}: ${level === "warning" ? "warning: " : ""}${message}`);

const errors = findings.filter(({ level }) => level === "error").length;
const warnings = options.warnings ? `, ${findings.length - errors} warnings` : "";
console.log(`${errors} errors${warnings} in ${files.length} files`);
if (errors > 0) process.exitCode = 1;

function printCounts(key: (finding: Finding) => string): void {
  const groups = [...Map.groupBy(findings, key)].sort(([, one], [, other]) => other.length - one.length);
  for (const [name, group] of groups) console.log(`${String(group.length).padStart(6)} ${name}`);
}
