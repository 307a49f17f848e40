/** Canaries in every column with text of every table of organisations. */
import { Client } from "pg";
import type { TestDatabase } from "../support/database.ts";

type Column = { table: string; key: string; column: string; type: string };

/** Expressions that add a canary, by type. A constraint may forbid it. */
const added: Record<string, (column: string, canary: string) => string> = {
  text: (column, canary) => `coalesce(${column}, '') || '${canary}' || left(md5(tableoid || ctid::text), 6)`, // unique
  "text[]": (column, canary) => `coalesce(${column}, '{}') || '${canary}'::text`,
  json: (column, canary) => `json_build_object('was', ${column}, 'canary', '${canary}')`,
  jsonb: (column, canary) => `jsonb_build_object('was', ${column}, 'canary', '${canary}')`,
  bytea: (column, canary) => `coalesce(${column}, '') || '${canary}'::bytea`,
};

const checkViolation = "23514";

/** @param canaries by organisation */
export async function plantCanaries(db: TestDatabase, canaries: Record<string, string>) {
  const columns = await db.sql<Column>(
    `select tables.quoted as table, tables.key, quote_ident(attribute.attname) as column, format_type(attribute.atttypid, null) as type
     from service.moved_tables tables
     join pg_attribute attribute on attribute.attrelid = ('app.' || tables.quoted)::regclass
     where attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = '' and not tables.is_kept
       and format_type(attribute.atttypid, null) = any ($1)
     order by 1, 3`,
    [Object.keys(added)],
  );
  const refused = new Set<string>();
  const empty = new Set<string>();
  const client = new Client({ connectionString: db.adminUrl });
  await client.connect();
  await client.query("set session_replication_role = replica");
  for (const [organisation, canary] of Object.entries(canaries)) {
    for (const { table, key, column, type } of columns) {
      const to = added[type]?.(column, canary);
      try {
        const { rowCount } = await client.query(
          `update app.${table} set ${column} = ${to} where ${key} = '${organisation}'`,
        );
        if (rowCount === 0) empty.add(table);
      } catch (error) {
        if ((error as { code?: string }).code !== checkViolation) throw error;
        refused.add(`${table}.${column}`);
      }
    }
  }
  await client.end();
  const tables = await db.sql<{ quoted: string; key: string }>("select quoted, key from service.moved_tables");
  return {
    /** Columns whose constraints forbid it, such as digests, and tables without a row. */
    refused: [...refused],
    empty: [...empty],
    /** Rows by table. */
    countsOf: async (organisation: string, without: string[]) =>
      Object.fromEntries(
        await Promise.all(
          tables
            .filter(({ quoted }) => !without.includes(quoted))
            .map(async ({ quoted, key }) => [
              quoted,
              (
                await db.sql<{ count: string }>(`select count(*) from app.${quoted} where ${key} = $1`, [organisation])
              )[0]?.count,
            ]),
        ),
      ),
  };
}
