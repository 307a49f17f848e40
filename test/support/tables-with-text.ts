/** Searches all tables of a database for a text. */
import type { TestDatabase } from "./database.ts";

/** Tables of app with a row that contains the text. Reads as the administrator, not subject to RLS. */
export async function tablesWithText(db: Pick<TestDatabase, "sql">, text: string): Promise<string[]> {
  const tables = await db.sql<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relnamespace = 'app'::regnamespace and relkind in ('r', 'p')",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.sql(`select from ${name} stored where stored::text ilike '%' || $1 || '%' limit 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
