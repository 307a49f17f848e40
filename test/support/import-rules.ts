/**
 * Rules of the source. Each returns its violations among the given files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
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

/** What a part of src/ may import besides itself. Parts that are not listed may import anything. */
const below: Record<string, string[]> = {
  delivery: [],
  routines: [],
  metrics: ["version.ts", "web/listening.ts"],
  tracing: ["config.ts", "version.ts"],
  contract: ["delivery/webhook-url.ts", "routines"],
  secrets: ["contract/operation.ts", "config.ts"],
  web: ["contract/operation.ts", "delivery/cidr.ts"],
  request: ["contract", "delivery/webhook-url.ts", "web/backlog.ts"],
  database: ["contract", "secrets", "config.ts"],
  runner: ["contract/fields.ts", "database", "log.ts"],
  worker: ["metrics", "tracing", "routines", "runner", "delivery", "database", "secrets", "config.ts", "log.ts"],
  http: [
    "contract",
    "delivery/inbound.ts",
    "delivery/webhook-url.ts",
    "metrics",
    "tracing",
    "database",
    "secrets",
    "request",
    "web",
    "config/network.ts",
    "config.ts",
    "log.ts",
    "version.ts",
  ],
  console: ["contract", "metrics", "database", "secrets", "request", "web", "config/network.ts", "config.ts", "log.ts"],
};

type Import = { file: string; from: string; names: string; type: boolean };

function importsOf(source: Source): Import[] {
  return Object.entries(source)
    .filter(([file]) => /\.[jt]s$/.test(file))
    .flatMap(([file, text]) =>
      [
        ...text.matchAll(/^(?:import|export)\s+(type\s+)?([^;"]*?from\s+)?"([^"]+)"/gm),
        ...text.matchAll(/()()(?<!typeof )\bimport\("([^"]+)"\)/g),
      ].map(([, type, names = "", specifier = ""]) => ({
        file,
        from: specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier,
        names,
        type: type !== undefined && type !== "",
      })),
    );
}

/** Imports that are part of a cycle. */
function cycles(imports: Import[]): string[] {
  const leads = Map.groupBy(imports, ({ file }) => file);
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (leads.get(from) ?? []).some((next) => reaches(next.from, to, seen));
  };
  return imports.filter(({ file, from }) => reaches(from, file)).map(({ file, from }) => `${file} imports ${from}`);
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
      places(source, /^src\/(?!config\.ts$)/, /\bprocess\s*\.\s*env\b|\benv\b.*from "node:process"/),
  },
  {
    name: "parts import only from parts below them",
    violations: (source) =>
      importsOf(source)
        .filter(({ file, from }) => {
          const part = file.split("/")[1] ?? "";
          const allowed = below[part];
          if (!allowed || !from.startsWith("src/")) return false;
          return ![part, ...allowed].some((place) => from === `src/${place}` || from.startsWith(`src/${place}/`));
        })
        .map(({ file, from }) => `${file} imports ${from}`),
  },
  {
    name: "no import is circular",
    violations: (source) => cycles(importsOf(source)),
  },
  {
    name: "the API reaches the database only through its pools",
    violations: (source) =>
      importsOf(source)
        .filter(({ file, from, names, type }) => {
          if (!/^src\/(http|request|web|contract)\//.test(file) || type) return false;
          return from.startsWith("pg-") || (from === "pg" && !/^\{\s*(type \w+,\s*)*DatabaseError\s*\}/.test(names));
        })
        .map(({ file, from }) => `${file} imports ${from}`),
  },
  {
    name: "the API's only statement is the call of api.handle",
    violations: (source) => {
      const said = places(
        source,
        /^src\/(http|request|web|contract)\//,
        /["'`\s](select\b.*\bfrom|select [\w.]+\(|insert into|update\b.*\bset|delete from|with\b.*\bas \()\s?/i,
      );
      return said.filter((place) => {
        const [file = "", line] = place.split(":");
        return !/["'`]select api\.handle\(/.test(source[file]?.split("\n")[Number(line) - 1] ?? "");
      });
    },
  },
  {
    name: "only delivery, and the engine for models, make HTTP requests",
    violations: (source) => [
      ...importsOf(source)
        .filter(({ file, from, type }) => from === "undici" && !type && !file.startsWith("src/delivery/"))
        .map(({ file }) => `${file} imports undici`),
      ...importsOf(source)
        .filter(
          ({ file, from, type }) => /^openai\b/.test(from) && !type && !file.startsWith("src/runner/engines/models/"),
        )
        .map(({ file }) => `${file} imports openai`),
      ...places(
        source,
        // The reference page's own script runs in a reader's browser.
        /^src\/(http\/(?!pages\/reference\/reference\.js$)|request\/|web\/|worker\/|database\/|contract\/|secrets\/|runner\/)/,
        /(?<![.\w])fetch\(|\bhttps?\.(request|get)\(/,
      ),
    ],
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
];
