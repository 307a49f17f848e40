/** Where sql/ and migrations/ define a part of a table, as `file:line`. */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const files = [...globSync("sql/**/*.sql", { cwd: root }), ...globSync("migrations/committed/*.sql", { cwd: root })]
  .sort()
  .map((file) => ({ file, text: readFileSync(root + file, "utf8") }));

/** SQL in which `…` stands for anything within the statement, and a space for any white space. */
const pattern = (sql: string) =>
  new RegExp(
    `^ *'?${sql
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("…", "[^;]*?")
      .replaceAll(" ", "\\s+")}(?!\\w)`,
    "gm",
  );

/** The lines on which matches of the first SQL that matches begin or end. A migration is named without its folder. */
function find(of: "begin" | "end", ...sql: string[]): string[] {
  for (const each of sql) {
    const found = files.flatMap(({ file, text }) =>
      [...text.matchAll(pattern(each))].map((match) => {
        const start = match.index + match[0].search(/\S/);
        const at = of === "begin" ? start : match.index + match[0].length;
        const line = text.slice(0, at).split("\n").length;
        return `${file.startsWith("migrations") ? basename(file) : file}:${line}`;
      }),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** Takes the last definition: earlier ones were dropped. */
const last = (places: string[]): string | undefined => places.at(-1);

const fileOf = (place = ""): string => place.replace(/:\d+$/, "");

function required(place: string | undefined, what: string): string {
  if (place === undefined) throw new Error(`No file of sql/ or migrations/ defines ${what}.`);
  return place;
}

/** Constraints and columns of the statement that creates the table may have no place of their own. */
export const places = {
  table: (table: string) =>
    required(last(find("begin", `create table app.${table}`, `create unlogged table app.${table}`)), table),
  column: (table: string, name: string) => last(find("end", `alter table app.${table}…add column ${name}`)),
  constraint: (table: string, name: string, key: string | undefined) =>
    last(
      find(
        "end",
        `alter table app.${table}…constraint ${name}`,
        ...(key ? [`alter table app.${table}…add ${key}`, `create table app.${table}…${key}`] : []),
      ),
    ),
  index: (name: string) => required(last(find("begin", `create index ${name}`, `create unique index ${name}`)), name),
  policy: (table: string, name: string) =>
    required(
      last(find("begin", `create policy ${name} on app.${table}`, `create policy ${name} on %s`)),
      `${name} on ${table}`,
    ),
  type: (name: string) => required(last(find("begin", `create type app.${name}`)), name),
  grants: (table: string, role: string) =>
    find("begin", `grant …on app.${table} to …${role}`)
      .map((place, at, all) => (fileOf(place) === fileOf(all[at - 1]) ? place.slice(fileOf(place).length + 1) : place))
      .join(", "),
  trigger: (table: string, name: string) =>
    required(
      last(
        find(
          "begin",
          ...["", "constraint "].flatMap((kind) => [
            `create ${kind}trigger ${name} …on app.${table}`,
            `create ${kind}trigger ${name} …on app.%I`,
          ]),
        ),
      ),
      `${name} on ${table}`,
    ),
};
