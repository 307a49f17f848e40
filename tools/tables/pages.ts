/** docs/tables: a page for each table of app, from the catalogue and the files that define its parts. */
import type { Client, Pool } from "pg";
import {
  type Column,
  type Constraint,
  type Grant,
  type Index,
  type Policy,
  queries,
  type Table,
  type Trigger,
  type Type,
} from "./catalogue.ts";
import { places } from "./places.ts";
import { plain, wrapped } from "./text.ts";

export const tablesFolder = new URL("../../docs/tables/", import.meta.url);

type Database = Pick<Client | Pool, "query">;
type Parts = {
  columns: Column[];
  constraints: Constraint[];
  indexes: Index[];
  policies: Policy[];
  grants: Grant[];
  triggers: Trigger[];
};

/** Text of each page, by file name. */
export async function tablePages(db: Database): Promise<Record<string, string>> {
  const rows = async <Row>(query: keyof typeof queries) => (await db.query(queries[query])).rows as Row[];
  const tables = await rows<Table>("tables");
  const all: Parts = {
    columns: await rows("columns"),
    constraints: await rows("constraints"),
    indexes: await rows("indexes"),
    policies: await rows("policies"),
    grants: await rows("grants"),
    triggers: await rows("triggers"),
  };
  const pages = tables.map((table) => {
    const own = <Part extends { table: string }>(parts: Part[]) => parts.filter((part) => part.table === table.table);
    return [
      `${table.table}.md`,
      page(table, {
        columns: own(all.columns),
        constraints: own(all.constraints),
        indexes: own(all.indexes),
        policies: own(all.policies),
        grants: own(all.grants),
        triggers: own(all.triggers),
      }),
    ] as const;
  });
  return { "README.md": contents(tables, await rows<Type>("types")), ...Object.fromEntries(pages) };
}

const contents = (tables: Table[], types: Type[]) => `# Tables

\`npm run docs:tables\` writes these pages from the catalogue of a migrated database. They show what \`\\d+\` shows, with file and line of
each definition. \`000005-runs.sql\` is a file of \`migrations/committed\`. Columns and constraints without a place are in the statement that
creates the table. Columns are \`not null\` unless marked \`null\`. The role \`owner\` owns the tables, so no grant names it. Conditions of
policies, and the rest of a long definition (…), are at the place.

${tables.map(({ table, comment }) => wrapped(`[${table}](${table}.md)${comment ? `: ${comment}` : ""}`)).join("\n")}

## Types
${types.map(({ name, labels }) => item(`\`${name}\``, labels, places.type(name))).join("\n")}
`;

function page({ table, comment, partition_key, referenced_by }: Table, parts: Parts): string {
  const about = [
    comment,
    `Created at ${places.table(table)}.`,
    partition_key && `Partitioned by ${partition_key.toLowerCase()}; the partitions are in the schema \`partitions\`.`,
    referenced_by.length > 0 && `Referenced by ${referenced_by.map((name) => name.replace(/^app\./, "")).join(", ")}.`,
  ].filter((sentence) => sentence);
  const sections: [string, string[]][] = [
    ["Columns", parts.columns.map(column)],
    ["Constraints", parts.constraints.map(constraint)],
    ["Indexes", parts.indexes.map(index)],
    ["Policies", parts.policies.map(policy)],
    ["Grants", parts.grants.map(grant)],
    ["Triggers in firing order", triggers(parts.triggers)],
  ];
  const shown = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `## ${title}\n${lines.join("\n")}`);
  return `# app.${table}\n\n${wrapped(about.join(" "), "")}\n\n${shown.join("\n\n")}\n`;
}

/** An item of a list: what it is, its place, its words. */
const item = (what: string, words: string | null | undefined, place: string | undefined) =>
  wrapped(`${what}${place ? ` (${place})` : ""}${words ? `: ${words}` : ""}`);

const column = ({ table, name, definition, comment }: Column) =>
  item(`\`${name} ${plain(definition)}\``, comment, places.column(table, name));

function constraint({ table, name, kind, definition }: Constraint): string {
  const shown = plain(definition);
  const [key] = /^(primary key|unique|foreign key) \([^)]*\)/.exec(shown) ?? [];
  return item(`\`${kind === "c" ? `${name} ` : ""}${shown}\``, undefined, places.constraint(table, name, key));
}

function index({ name, definition }: Index): string {
  const [, unique = "", method = "", rest = ""] =
    /^CREATE (UNIQUE )?INDEX \S+ ON \S.*? USING (\w+) (.*)$/s.exec(definition) ?? [];
  return item(
    `\`${plain(`${name} ${unique}${method === "btree" ? "" : `${method} `}${rest}`)}\``,
    undefined,
    places.index(name),
  );
}

const policy = ({ table, name, command, roles, comment }: Policy) =>
  item(`\`${name}\` for ${command} to ${roles}`, comment, places.policy(table, name));

const grant = ({ table, role, privileges }: Grant) =>
  item(`${role}: \`${privileges}\``, undefined, places.grants(table, role));

/** PostgreSQL fires the triggers of a moment by name. */
const moments = ["Before the statement", "Before each row", "After each row", "After the statement", "At commit"];

const triggers = (of: Trigger[]): string[] =>
  moments.flatMap((moment) => {
    const lines = of.filter((trigger) => trigger.moment === moment).map(trigger);
    return lines.length > 0 ? [`- ${moment}:`, ...lines] : [];
  });

function trigger({ table, name, definition, comment }: Trigger): string {
  const [, events = "", when, called = "", argument] =
    /^CREATE .*? (?:BEFORE|AFTER) (.*?) ON .*? FOR EACH (?:ROW|STATEMENT) (?:WHEN \((.*)\) )?EXECUTE FUNCTION (\S+?)\((?:'(.*?)')?.*$/s.exec(
      definition,
    ) ?? [];
  const calls = `\`${called}\`${argument ? ` of ${argument}` : ""}`;
  return item(
    `\`${name} ${events.toLowerCase()}${when ? ` when ${plain(when)}` : ""}\` ${calls}`,
    comment?.replace(/^Instead of row-level security: .*?\.(?: |$)/, ""),
    places.trigger(table, name),
  ).replace(/^/gm, "  ");
}
