/** Rules of the source. Each returns its violations among the given files. Rules of imports: .dependency-cruiser.js. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Content of files, by path from the project's folder. */
export type Source = Record<string, string>;

const project = fileURLToPath(new URL("../../", import.meta.url));

export function readSource(): Source {
  const files = ["src", "sql", "migrations"].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(project.length)),
  );
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(project, file), "utf8")]));
}

/** `file:line` of each match of a pattern in code, without comments. */
function places(source: Source, inside: RegExp, pattern: RegExp): string[] {
  return Object.entries(source)
    .filter(([file]) => inside.test(file))
    .flatMap(([file, text]) =>
      text
        .split("\n")
        .map((line, index) => ({ line: line.replace(/^\s*(\/?\*|\/\/).*|\s\/\/ .*$/, ""), number: index + 1 }))
        .filter(({ line }) => pattern.test(line))
        .map(({ number }) => `${file}:${number}`),
    );
}

export type SourceRule = { name: string; violations: (source: Source) => string[] };

export const sourceRules: SourceRule[] = [
  {
    name: "only config.ts reads the environment",
    violations: (source) =>
      // The command line of integrators loads no module of the server, and samples are text.
      places(
        source,
        /^src\/(?!config\.ts$|tenant\/|api\/openapi\/code-samples\.ts$)/,
        /\bprocess\s*\.\s*env\b|\benv\b.*from "node:process"/,
      ),
  },
  {
    name: "only terminal.ts prints",
    violations: (source) =>
      places(
        source,
        /^src\/(?!terminal\.ts$|botstead\.js$|front\/|api\/openapi\/code-samples\.ts$)/,
        /\bconsole\.(log|error|warn|info)\(|\bstd(out|err)\b[^;]*\.write\(|\.pipe\(process\.std|\bstd(out|err)\b.*from "node:process"/,
      ),
  },
  {
    name: "the API's only statements call api.handle, the counters of shared rate limits and what a process asks for itself",
    violations: (source) => {
      const said = places(
        source,
        /^src\/(?!cells\/(directory|moves)\/)(api|web|contract|mcp|portal|cells)\//,
        /["'`\s](select\b.*\bfrom|select [\w.]+\(|insert into|update\b.*\bset|delete from|with\b.*\bas \()\s?/i,
      );
      const entries = ["handle", "count_requests", "process"].map((file) => source[`sql/api/${file}.sql`] ?? "").join();
      return said.filter((place) => {
        const [file = "", line] = place.split(":");
        const [, name] = /["'`]select (api\.\w+\()/.exec(source[file]?.split("\n")[Number(line) - 1] ?? "") ?? [];
        return name === undefined || !entries.includes(`create function ${name}`);
      });
    },
  },
  {
    name: "only delivery, and the engine for models, make HTTP requests",
    violations: (source) =>
      places(
        source,
        // The reference page's own scripts run in a reader's browser.
        /^src\/(mcp\/|portal\/|cells\/|api\/(?!pages\/reference\/(reference|examples)\.js$)|web\/|worker\/|database\/|contract\/|secrets\/|runner\/)/,
        /(?<![.\w])fetch\(|\bhttps?\.(request|get)\(/,
      ),
  },
  {
    name: "sql/index lists every file of sql/ once, and no other",
    violations: (source) => {
      const listed = (source["sql/index"] ?? "")
        .split("\n")
        .filter((line) => line.trim() !== "" && !line.startsWith("#"));
      const files = Object.keys(source).filter((file) => file.startsWith("sql/") && file !== "sql/index");
      return [
        ...files.filter((file) => !listed.includes(file.slice(4))).map((file) => `${file} is not listed`),
        ...listed.filter((line) => !files.includes(`sql/${line}`)).map((line) => `${line} is not there`),
        ...listed.filter((line, index) => listed.indexOf(line) !== index).map((line) => `${line} is listed twice`),
      ];
    },
  },
  {
    name: "definitions create no table except api.operations, and migrations create no definition",
    violations: (source) => [
      ...places(source, /^sql\//, /^\s*(create|alter) table (?!api\.operations\b)/i),
      ...places(source, /^migrations\//, /^\s*(create (or replace )?(function|policy|trigger|view)|grant) /i),
    ],
  },
  {
    name: "aliases in SQL name their rows, so none is held, shown or former",
    violations: (source) =>
      places(
        source,
        /^sql\//,
        /(\b(from|join|update) [\w.%$]+|\)|\bas) (as )?(held|shown|former)\b(?![.,\w])|\b(held|shown|former) as \(/,
      ),
  },
];
