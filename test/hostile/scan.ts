/** All places that may store or show a text: each has a name and bytes, which are read in parts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import type { Pattern } from "./patterns.ts";

export type Place = { name: string; bytes: Buffer };

/** Every column of every table, including PostgreSQL's own: "schema.table.column"; partitions count as their table. */
export async function* columnsOf(db: Client): AsyncGenerator<Place> {
  const { rows: tables } = await db.query<{ schema: string; table: string; columns: string[] }>(
    `select class.relnamespace::regnamespace::text as schema, quote_ident(class.relname) as "table",
       array_agg(quote_ident(attribute.attname)) as columns
     from pg_class class
     join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
     where class.relkind in ('r', 'p', 'm') and not class.relispartition and class.relnamespace::regnamespace::text <> 'pg_toast'
     group by class.oid`,
  );
  for (const { schema, table, columns } of tables) {
    const texts = columns.map((column) => `string_agg(${column}::text, E'\\n')`).join(", ");
    const { rows } = await db.query({ text: `select ${texts} from ${schema}.${table}`, rowMode: "array" });
    for (const [place, text] of (rows[0] as unknown as (string | null)[]).entries()) {
      if (text) yield { name: `${schema}.${table}.${columns[place]}`, bytes: Buffer.from(text) };
    }
  }
}

/** Current and last statements of sessions, and pg_stat_statements if it is enabled. */
export async function* statementsOf(db: Client): AsyncGenerator<Place> {
  const views = ["pg_stat_activity", "pg_prepared_statements", "pg_cursors", "pg_prepared_xacts", "pg_stat_ssl"];
  const { rows } = await db.query("select from pg_extension where extname = 'pg_stat_statements'");
  for (const view of [...views, ...(rows.length > 0 ? ["public.pg_stat_statements"] : [])]) {
    const statement = await db.query<{ text: string | null }>(
      `select string_agg(to_json(statement)::text, E'\\n') as text from ${view} statement`,
    );
    yield { name: view, bytes: Buffer.from(statement.rows[0]?.text ?? "") };
  }
}

/** Reads every wanted file below a folder. Skips files that vanish during the walk. */
export function* filesOf(folder: string, isWanted = (_path: string) => true, below = ""): Generator<Place> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) yield* filesOf(folder, isWanted, path);
    const bytes = entry.isFile() && isWanted(path) ? readIfThere(join(folder, path)) : undefined;
    if (bytes) yield { name: path, bytes };
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}

export type Found = { what: string; form: string; place: string };

export async function searchIn(
  places: Iterable<Place> | AsyncIterable<Place>,
  search: (bytes: Buffer) => Pattern[],
): Promise<{ found: Found[]; places: number; megabytes: number }> {
  const found: Found[] = [];
  let count = 0;
  let size = 0;
  for await (const { name, bytes } of places) {
    count += 1;
    size += bytes.length;
    for (const { what, form } of search(bytes)) found.push({ what, form, place: name });
  }
  return { found, places: count, megabytes: size / 2 ** 20 };
}
