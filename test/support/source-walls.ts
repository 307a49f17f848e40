/**
 * The walls of the source: each looks through files and answers what breaches it, in words, and nothing when it stands.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** Files by their path from the project's folder. */
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

/** Which parts of src/ a part may import from, besides itself. What is not listed here may import anything. */
const below: Record<string, string[]> = {
  delivery: [],
  routines: [],
  metrics: ["version.ts", "listening.ts"],
  tracing: ["config.ts", "version.ts"],
  contract: ["delivery/address.ts", "routines"],
  secrets: ["config.ts"],
  database: ["contract", "secrets", "config.ts"],
  runner: ["contract/fields.ts", "database", "log.ts"],
  worker: ["metrics", "tracing", "routines", "runner", "delivery", "database", "secrets", "config.ts", "log.ts"],
  http: [
    "contract",
    "delivery/address.ts",
    "delivery/cidr.ts",
    "delivery/inbound.ts",
    "metrics",
    "tracing",
    "database",
    "secrets",
    "config.ts",
    "listening.ts",
    "log.ts",
    "version.ts",
  ],
};

type Import = { file: string; from: string; names: string; type: boolean };

function importsOf(source: Source): Import[] {
  return Object.entries(source)
    .filter(([file]) => /\.[jt]s$/.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(/^(?:import|export)\s+(type\s+)?([^;"]*?from\s+)?"([^"]+)"/gm)].map(
        ([, type, names = "", specifier = ""]) => ({
          file,
          from: specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier,
          names,
          type: type !== undefined,
        }),
      ),
    );
}

/** The arrows that close a circle: what was imported leads back, over whatever it imports in turn. */
function circles(imports: Import[]): string[] {
  const leads = Map.groupBy(imports, ({ file }) => file);
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (leads.get(from) ?? []).some((next) => reaches(next.from, to, seen));
  };
  return imports.filter(({ file, from }) => reaches(from, file)).map(({ file, from }) => `${file} imports ${from}`);
}

/** `file:line` of each place where a pattern is found in code; comments don't count. */
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

export type SourceWall = { name: string; breaches: (source: Source) => string[] };

export const sourceWalls: SourceWall[] = [
  {
    name: "the environment is read in config.ts alone",
    breaches: (source) =>
      places(source, /^src\/(?!config\.ts$)/, /\bprocess\s*\.\s*env\b|\benv\b.*from "node:process"/),
  },
  {
    name: "nothing imports from above itself",
    breaches: (source) =>
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
    name: "no file imports what leads back to it",
    breaches: (source) => circles(importsOf(source)),
  },
  {
    name: "the API reaches the database through its lanes, and opens no connection of its own",
    breaches: (source) =>
      importsOf(source)
        .filter(({ file, from, names, type }) => {
          if (!/^src\/(http|contract)\//.test(file) || type) return false;
          return from.startsWith("pg-") || (from === "pg" && !/^\{\s*(type \w+,\s*)*DatabaseError\s*\}/.test(names));
        })
        .map(({ file, from }) => `${file} imports ${from}`),
  },
  {
    name: "the API says one statement to the database, the call of api.handle",
    breaches: (source) => {
      const said = places(
        source,
        /^src\/(http|contract)\//,
        /["'`\s](select\b.*\bfrom|select [\w.]+\(|insert into|update\b.*\bset|delete from|with\b.*\bas \()\s?/i,
      );
      return said.filter((place) => {
        const [file = "", line] = place.split(":");
        return !/["'`]select api\.handle\(/.test(source[file]?.split("\n")[Number(line) - 1] ?? "");
      });
    },
  },
  {
    name: "what leaves the building by HTTP leaves from delivery, or from the engine for models to its service",
    breaches: (source) => [
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
        /^src\/(http\/(?!pages\/reference\/reference\.js$)|worker\/|database\/|contract\/|secrets\/|runner\/)/,
        /(?<![.\w])fetch\(|\bhttps?\.(request|get)\(/,
      ),
    ],
  },
  {
    name: "sql/index lists every file of sql/ once, and none that is not there",
    breaches: (source) => {
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
    name: "definitions make no table but the list of operations, and migrations no definition",
    breaches: (source) => [
      ...places(source, /^sql\//, /^\s*(create|alter) table (?!api\.operations\b)/i),
      ...places(source, /^migrations\//, /^\s*(create (or replace )?(function|policy|trigger|view)|grant) /i),
    ],
  },
];
