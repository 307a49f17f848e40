/** Searches everything that the database stores. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestDatabase } from "../support/database.ts";

/** Tables that contain this text, as "schema.table", in a column of any type. */
export async function tablesThatContain(db: TestDatabase, pattern: string): Promise<string[]> {
  const tables = await db.sql<{ name: string; columns: { name: string; type: string }[] }>(
    `select format('%I.%I', class.relnamespace::regnamespace::text, class.relname) as name,
       json_agg(json_build_object('name', quote_ident(attribute.attname), 'type', attribute.atttypid::regtype)) as columns
     from pg_class class
     join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
     where class.relkind in ('r', 'p', 'm') and class.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
     group by 1`,
  );
  const bytes = Buffer.from(pattern).toString("hex");
  const found: string[] = [];
  for (const table of tables) {
    // Values as text, which is hex for bytea; a text may also contain the pattern as hex or base64.
    const anywhere = table.columns.map(({ name }) => `coalesce(${name}::text, '')`).join(" || ' ' || ");
    const [hit] = await db.sql(
      `select from ${table.name} where position($1 in ${anywhere}) > 0
         or position($2 in lower(${anywhere})) > 0 or position($3 in ${anywhere}) > 0 limit 1`,
      [pattern, bytes, Buffer.from(pattern).toString("base64").replace(/=*$/, "")],
    );
    if (hit) found.push(table.name);
  }
  return found.toSorted();
}

/** The current or last statement of each session of this database. */
export async function statementsOfSessions(db: TestDatabase): Promise<string> {
  const rows = await db.sql<{ query: string }>("select query from pg_stat_activity where datname = current_database()");
  return rows.map(({ query }) => query).join("\n");
}

/** PostgreSQL's log since a position of `sizeOfLog`. */
export function logSince(db: TestDatabase, start: number): string {
  return readFileSync(join(db.dataDir, "postgres.log")).subarray(start).toString("utf8");
}

export const sizeOfLog = (db: TestDatabase): number => readFileSync(join(db.dataDir, "postgres.log")).length;

/** Logs every statement with all its parameters from the next session on, which Botstead's settings avoid. */
export async function logEverything(db: TestDatabase): Promise<void> {
  const settings = { log_statement: "all", log_error_verbosity: "default", log_parameter_max_length: "-1" };
  for (const [name, value] of Object.entries(settings)) {
    await db.sql(
      `do $$ begin execute format('alter database %I set ${name} = %L', current_database(), '${value}'); end $$`,
    );
  }
}
