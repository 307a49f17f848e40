/** Checks one file. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { readDocstrings, readJsx } from "./comments.ts";
import { readDescriptions } from "./descriptions.ts";
import { findTerms } from "./find-terms.ts";
import type { Finding } from "./finding.ts";
import type { Fragment } from "./fragment.ts";
import { skippedFiles } from "./rules.ts";
import { readScript } from "./script.ts";
import { asMarkdown, checkSentences } from "./sentences.ts";
import { readSql } from "./sql.ts";
import { readTypeScript } from "./typescript.ts";

/** Files of other kinds, such as pictures, are checked for the terms in their names. */
const scripts =
  /(\.(ya?ml|json|sh|py|graphql|css|svg|conf|cfg|ini|service|timer|env\.example)|Dockerfile|docker-compose\S*|sql\/index|\.ci\/run|logrotate)$/;

/** @param file path from `root`, as findings show it */
export async function checkFile(root: string, file: string, warnings: boolean): Promise<Finding[]> {
  if (skippedFiles.test(file)) return [];
  const markdown = file.endsWith(".md");
  const text = markdown || isReadable(file) ? readFileSync(resolve(root, file), "utf8") : "";
  const fragments = markdown ? [{ kind: "prose" as const, line: 1, text }] : readFragments(file, text);
  const document = markdown
    ? { text, lines: undefined }
    : asMarkdown(fragments.filter(({ kind }) => kind === "prose" || kind === "title"));
  const found = [
    ...(await checkSentences(document.text, { page: markdown || isOpenApi(file), warnings })).map((finding) => ({
      ...finding,
      line: document.lines?.[finding.line - 1] ?? finding.line,
    })),
    ...findTerms(file, fragments),
  ];
  return found
    .filter(({ level }) => warnings || level === "error")
    .sort((one, other) => one.line - other.line)
    .map((finding) => ({ file, ...finding }));
}

const isReadable = (file: string) => /\.([jt]sx?|sql)$/.test(file) || scripts.test(file);

const isOpenApi = (file: string) => /(^|\/)openapi\.json$/.test(file);

function readFragments(file: string, text: string): Fragment[] {
  if (/\.[jt]s$/.test(file)) return readTypeScript(text);
  if (/\.[jt]sx$/.test(file)) return readJsx(text);
  if (file.endsWith(".sql")) return readSql(text);
  if (isOpenApi(file)) return readDescriptions(text);
  return [...readScript(text), ...(file.endsWith(".py") ? readDocstrings(text) : [])];
}
