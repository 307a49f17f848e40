/**
 * The plans of executed statements, including statements in functions and triggers. auto_explain logs them for the
 * statements that the product sends, under the settings of the role that sends them.
 */
import { Client } from "pg";
import type { LoginRole } from "../../src/database/roles.ts";
import { urlAs } from "../../src/database/urls.ts";
import type { TestDatabase } from "./database.ts";
import type { PlanNode } from "./saved-queries.ts";

/** A step of a plan that reads a partition, or one of the requested tables; then `week` is empty. `rows`: examined rows. */
export type Read = { table: string; week: string; by: string; executed: boolean; rows: number };

/** `maxSorted`: maximum number of rows of one sort. */
export type Plan = { statement: string; reads: Read[]; maxSorted: number };

export const rowsOf = (reads: Read[]): number => reads.reduce((sum, { rows }) => sum + rows, 0);

/** Autovacuum may not change statistics from here on: the same statement would have another plan a moment later. */
const keepStatistics = (db: TestDatabase): Promise<unknown> =>
  db.sql(
    `do $$
     declare
       own regclass;
     begin
       for own in
         select oid from pg_class where relkind = 'r' and relnamespace = any ('{app, partitions, graphile_worker}'::regnamespace[])
       loop
         execute format('alter table %s set (autovacuum_enabled = off)', own);
       end loop;
     end
     $$`,
  );

/** Call this before the sessions begin whose plans are logged. */
export async function logPlans(db: TestDatabase): Promise<void> {
  await keepStatistics(db);
  const settings: Record<string, string> = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_format": "json",
    "auto_explain.log_level": "notice",
  };
  const name = new URL(db.adminUrl).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings)) {
    await db.sql(`alter database ${name} set ${setting} = '${value}'`);
  }
}

/**
 * Sets statistics as if the tables had `rows` times as many rows, of this many organisations and endpoints. The planner
 * multiplies the rows per page by the number of pages. Of organisations it knows the number only. Tables of app with at
 * most a thousand rows keep their statistics, because they do not grow.
 */
export async function multiplyStatistics(
  db: TestDatabase,
  { rows, organisations, endpoints }: { rows: number; organisations: number; endpoints: number },
): Promise<void> {
  await keepStatistics(db);
  const leaves = await db.sql<{ leaf: string }>(
    "select oid::regclass as leaf from pg_class where relnamespace = 'partitions'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0",
  );
  for (const { leaf } of leaves) await db.sql(`analyze ${leaf}`); // empty ones have none, as in production
  await db.sql(
    `select pg_restore_relation_stats(
       'schemaname', relnamespace::regnamespace::text, 'relname', relname::text,
       'relpages', (pg_relation_size(oid) / current_setting('block_size')::integer)::integer,
       'reltuples', (reltuples * $1)::real
     )
     from pg_class
     where relkind in ('r', 'i') and (relnamespace = 'partitions'::regnamespace and reltuples > 0
       or relnamespace = 'app'::regnamespace and reltuples > 1000)`,
    [rows],
  );
  await db.sql(
    `select pg_clear_attribute_stats(schema.nspname, relname, attname, false), pg_restore_attribute_stats(
       'schemaname', schema.nspname::text, 'relname', relname::text, 'attname', attname::text, 'inherited', false,
       'null_frac', 0::real, 'avg_width', 16, 'n_distinct', (case attname when 'endpoint_id' then $2 else $1 end)::real
     )
     from pg_class
     join pg_namespace schema on schema.oid = relnamespace
     join pg_attribute on attrelid = pg_class.oid
     where relkind = 'r' and (schema.nspname = 'partitions' and reltuples > 0 or schema.nspname = 'app' and reltuples > 1000)
       and attname in ('organisation_id', 'endpoint_id')`,
    [organisations, endpoints],
  );
}

/** For all plans: the index or scan that reads each table, and in how many of its weeks it was executed. */
export function waysOf(plans: Plan[]): Record<string, number> {
  const ways: Record<string, Set<string>> = {};
  for (const { table, by, week, executed } of plans.flatMap(({ reads }) => reads)) {
    const way = `${table} by ${by}`;
    ways[way] ??= new Set();
    if (executed) ways[way].add(week);
  }
  return Object.fromEntries(Object.entries(ways).map(([way, { size }]) => [way, size]));
}

/**
 * The same ways, with at most the weeks that `reads` allows. The result equals `ways` if there were no other reads. In
 * weeks without executed reads, the choice of the index has no effect.
 */
export function allowedOf(ways: Record<string, number>, reads: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(ways).map(([way, weeks]) => [way, Math.min(weeks, reads[way] ?? 0)]));
}

/**
 * Executes `work` and rolls it back. Returns the plan of each statement that reads a partition or one of `tables`.
 *
 * @param mode generic plan, as a connection may choose after a few executions, or a plan for the given values
 */
export async function plansOf(
  db: TestDatabase,
  role: LoginRole,
  mode: "force_generic_plan" | "force_custom_plan",
  work: (client: Client) => Promise<unknown>,
  tables: string[] = [],
): Promise<Plan[]> {
  const names = new Map(
    (
      await db.sql<{ leaf: string; parent: string }>(
        `select leaf.relname as leaf, parent.relname as parent
         from pg_inherits
         join pg_class leaf on leaf.oid = inhrelid and leaf.relnamespace = 'partitions'::regnamespace
         join pg_class parent on parent.oid = inhparent`,
      )
    ).map(({ leaf, parent }) => [leaf, parent]),
  );
  for (const table of tables) names.set(table, table);
  const messages: string[] = [];
  const client = new Client({ connectionString: urlAs(role, db.adminUrl, db.key) });
  client.on("notice", ({ message }) => message?.includes("plan:") && messages.push(message));
  await client.connect();
  try {
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query("begin");
    await work(client);
    await client.query("rollback");
  } finally {
    await client.end();
  }
  return messages.map((message) => summarise(message, names)).filter(({ reads }) => reads.length > 0);
}

function summarise(message: string, names: Map<string, string>): Plan {
  const { "Query Text": statement, Plan: root } = JSON.parse(message.slice(message.indexOf("{")));
  const plan: Plan = { statement, reads: [], maxSorted: 0 };
  walk(root, undefined);
  return plan;

  function walk(node: PlanNode, relation: string | undefined): void {
    const leaf = node["Relation Name"] ?? relation;
    const table = leaf && names.get(leaf);
    const index = node["Index Name"];
    if (leaf && table && (index || node["Node Type"] === "Seq Scan")) {
      plan.reads.push({
        table,
        week: leaf === table ? "" : leaf.slice(table.length + 1),
        by: index ? (names.get(index) ?? index) : node["Node Type"],
        executed: node["Actual Loops"] > 0,
        rows: (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
      });
    }
    if (node["Node Type"].includes("Sort")) {
      for (const { "Actual Rows": rows } of node.Plans ?? []) plan.maxSorted = Math.max(plan.maxSorted, rows);
    }
    for (const child of node.Plans ?? []) walk(child, node["Node Type"] === "Bitmap Heap Scan" ? leaf : undefined);
  }
}
