/** Everywhere that the database could have kept something, as text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestDatabase } from "../support/database.ts";

/** Where in the database this text is found: "schema.table", whatever the type of the column that holds it. */
export async function tablesThatHold(db: TestDatabase, needle: string): Promise<string[]> {
  const tables = await db.sql<{ name: string; columns: { name: string; type: string }[] }>(
    `select format('%I.%I', class.relnamespace::regnamespace::text, class.relname) as name,
       json_agg(json_build_object('name', quote_ident(attribute.attname), 'type', attribute.atttypid::regtype)) as columns
     from pg_class class
     join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
     where class.relkind in ('r', 'p', 'm') and class.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
     group by 1`,
  );
  const bytes = Buffer.from(needle).toString("hex");
  const found: string[] = [];
  for (const table of tables) {
    // As text, which is hex for bytea; and any text can hold the needle's own hex or base64.
    const anywhere = table.columns.map(({ name }) => `coalesce(${name}::text, '')`).join(" || ' ' || ");
    const [hit] = await db.sql(
      `select from ${table.name} where position($1 in ${anywhere}) > 0
         or position($2 in lower(${anywhere})) > 0 or position($3 in ${anywhere}) > 0 limit 1`,
      [needle, bytes, Buffer.from(needle).toString("base64").replace(/=*$/, "")],
    );
    if (hit) found.push(table.name);
  }
  return found.toSorted();
}

/** The statements that the sessions of this database run or ran last. */
export async function statementsOfSessions(db: TestDatabase): Promise<string> {
  const rows = await db.sql<{ query: string }>("select query from pg_stat_activity where datname = current_database()");
  return rows.map(({ query }) => query).join("\n");
}

/** What PostgreSQL logged since a point that `sizeOfLog` gave. */
export function logSince(db: TestDatabase, start: number): string {
  return readFileSync(join(db.dataDir, "postgres.log")).subarray(start).toString("utf8");
}

export const sizeOfLog = (db: TestDatabase): number => readFileSync(join(db.dataDir, "postgres.log")).length;

/** From the next session on, every statement with all of its parameters: the opposite of what we ask PostgreSQL for. */
export async function logEverything(db: TestDatabase): Promise<void> {
  const settings = { log_statement: "all", log_error_verbosity: "default", log_parameter_max_length: "-1" };
  for (const [name, value] of Object.entries(settings)) {
    await db.sql(
      `do $$ begin execute format('alter database %I set ${name} = %L', current_database(), '${value}'); end $$`,
    );
  }
}
