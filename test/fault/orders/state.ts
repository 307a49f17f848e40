/** The rows of a test database: saved once, and restored after each order of two calls. */
import { hash } from "node:crypto";
import type { TestDatabase } from "../../support/database.ts";

/** Rows as JSON text, by table. */
export type Rows = Map<string, string[]>;

export type State = {
  /** The rows of these tables now. */
  read(tables: string[]): Promise<Rows>;
  /** The rows that are saved. */
  saved: Rows;
  /** Restores the saved rows of tables that differ. */
  restore(now: Rows): Promise<void>;
  /** Columns whose values differ from call to call without a meaning, as "table.column". */
  meaningless: Set<string>;
  /** Text with ids and bytes that are the same in each run, beside the saved rows. */
  constants: string;
};

type Table = { name: string; columns: string; random: string[] };

/** Tables and columns: numbers that depend on the time or on the count of earlier calls, and the answer, which is compared as such. */
const counters = [
  ...["app.response_bytes", "graphile_worker._private_jobs.id", "app.idempotency_records.body"],
  ...["idempotency_records", "response_rows", "hook_receipts"].map((table) => `app.${table}.day_partition`),
];

/** Saves all rows. Each state has a schema of its own, so that a test can have several. */
export async function saveState(db: TestDatabase, schema: string, constants: string): Promise<State> {
  const tables = await tablesOf(db);
  await db.sql(`create schema ${schema}`);
  for (const { name } of tables) await db.sql(`create table ${copyOf(name)} as table ${name}`);
  await db.sql(
    `create function ${schema}.restore(changes jsonb) returns void
     language plpgsql as $$
     #variable_conflict use_column
     declare
       change jsonb;
       new_rows text[];
       old_rows text[];
     begin
       for change in select jsonb_array_elements(changes) loop
         new_rows := array(select jsonb_array_elements_text(change -> 'added'));
         old_rows := array(select jsonb_array_elements_text(change -> 'removed'));
         case change ->> 'name'
           ${tables.map(restored).join("\n")}
         end case;
       end loop;
     end
     $$`,
  );
  // As on a replica: no trigger fires.
  const settings = "-c plan_cache_mode=force_generic_plan -c jit=off -c session_replication_role=replica";
  const pool = db.adminPool({ max: 1, options: settings });

  let restores = 0;

  async function read(names: string[]): Promise<Rows> {
    const rows: Rows = new Map(names.map((name) => [name, []]));
    if (names.length === 0) return rows;
    const text = names
      .map((name) => `select '${name}' as name, to_jsonb(stored)::text as stored from ${name} stored`)
      .join(" union all ");
    const found = await pool.query<{ name: string; stored: string }>({ name: hash("md5", text), text });
    for (const { name, stored } of found.rows) rows.get(name)?.push(stored);
    for (const texts of rows.values()) texts.sort();
    return rows;
  }
  const saved = await read(tables.map(({ name }) => name));

  function copyOf(name: string): string {
    return `${schema}.${name.replace(".", "_")}`;
  }

  function restored({ name, columns }: Table): string {
    return `when '${name}' then
      delete from ${name} stored where to_jsonb(stored)::text = any (new_rows);
      insert into ${name} (${columns}) overriding system value
      select ${columns} from ${copyOf(name)} stored where to_jsonb(stored)::text = any (old_rows);`;
  }
  return {
    read,
    saved,
    constants,
    async restore(now) {
      const changed = [...now].flatMap(([name, rows]) => {
        const [before, after] = [new Set(saved.get(name)), new Set(rows)];
        const added = rows.filter((row) => !before.has(row));
        const removed = [...before].filter((row) => !after.has(row));
        return added.length + removed.length > 0 ? [{ name, added, removed }] : [];
      });
      await pool.query({ name: "restore", text: `select ${schema}.restore($1)`, values: [JSON.stringify(changed)] });
      restores += 1;
      if (restores % 500 === 0) await pool.query("vacuum");
    },
    meaningless: new Set([
      ...counters,
      ...tables.flatMap(({ name, random }) => random.map((column) => `${name}.${column}`)),
    ]),
  };
}

/** Tables with rows of organisations, people, workers and executors, with the columns that can be inserted. */
const tablesOf = (db: TestDatabase): Promise<Table[]> =>
  db.sql<Table>(
    `select class.oid::regclass::text as name,
       string_agg(quote_ident(attname), ', ' order by attnum) filter (where attgenerated = '') as columns,
       coalesce(
         array_agg(attname::text) filter (where atttypid in ('xid8'::regtype, 'interval'::regtype, 'tsvector'::regtype)), '{}'
       ) as random
     from pg_class class
     join pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
     where (
         relnamespace = 'app'::regnamespace
         or class.oid in ('graphile_worker._private_jobs'::regclass, 'graphile_worker._private_job_queues'::regclass)
       ) and relkind in ('r', 'p') and not relispartition
     group by class.oid
     order by 1`,
  );
