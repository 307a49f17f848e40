/** What a captured executor has changed outside its runs, and what its tainted runs have written without an approval. */
import { ink } from "./calls.ts";
import type { Twin } from "./twins.ts";

/** What every executor may change, in any run: its heartbeat, and the models that it announces. */
const ofExecutors = ["app.executors", "app.models"];
/** Heads, sums and jobs of an organisation, which its runs change. */
const ofOrganisations = ["app.audit_chain_heads", "app.monthly_usage", "graphile_worker._private_jobs"];

export type Change = { table: string; change: "new" | "gone"; row: string };
export type Tables = Record<string, { digest: string; rows?: Set<string> }>;

/** Versions of rows, which cost less than their texts. A clone has the same. */
const digests = `select string_agg(format(
    'select %L as table, md5(string_agg(format(''%%s %%s %%s'', tableoid, ctid, xmin), '' '')) as digest from %s', oid::regclass, oid::regclass
  ), ' union all ') as statement
  from pg_class
  where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and not relispartition
    or oid = 'graphile_worker._private_jobs'::regclass`;

export async function tablesOf(twin: Twin): Promise<Tables> {
  const [digest] = await twin.sql(digests);
  const rows = await twin.sql(String(digest?.statement));
  return Object.fromEntries(rows.map(({ table, digest }) => [table, { digest: String(digest) }]));
}

const rowsOf = async (twin: Twin, table: string): Promise<Set<string>> =>
  new Set((await twin.sql(`select row::text as row from ${table} row`)).map(({ row }) => String(row)));

/** The rows that differ. @param before of `untouched`; the rows of a table are read once. */
export async function changesOf(twin: Twin, untouched: Twin, before: Tables): Promise<Change[]> {
  const changes: Change[] = [];
  for (const [table, { digest }] of Object.entries(await tablesOf(twin))) {
    const known = before[table];
    if (!known || digest === known.digest) continue;
    known.rows ??= await rowsOf(untouched, table);
    const rows = await rowsOf(twin, table);
    for (const row of rows) if (!known.rows.has(row)) changes.push({ table, change: "new", row });
    for (const row of known.rows) if (!rows.has(row)) changes.push({ table, change: "gone", row });
  }
  return changes;
}

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** The row of a memory without its mark that another memory contests it. */
const unmarked = (row: string) => row.replace(/,[tf],([^,]*)\)$/, ",$1)");

/**
 * The changes of rows that do not belong to the leased runs, to the runs that these started, or to what they wrote. A memory
 * that they wrote may contest memories of its owner about its subject, which then have the mark.
 */
export async function outsideOf(twin: Twin, changes: Change[], leased: string[]): Promise<Change[]> {
  const [found] = await twin.sql(
    `with recursive own as (
       select run.* from app.runs run where id = any ($1)
       union select run.* from app.runs run join own on run.parent_run_id = own.id
     ), written as (
       select id from own
       union all select id from app.memories where run_id in (select id from own)
       union all select id from app.approvals where run_id in (select id from own)
       union all select id from app.messages where run_id in (select id from own)
     )
     select array(
         select peer.id
         from own join app.memories memory on memory.organisation_id = own.organisation_id and memory.run_id = own.id
         cross join rows.memories_beside(memory.organisation_id, memory, rows.max_id()) peer
       )::text[] as contested,
       array(
         select id from written
         union all select id from app.events where exists (select from written where position(written.id::text in data::text) > 0)
       )::text[] as names,
       array(select organisation_id from own)::text[] as organisations,
       array(select conversation_id from own)::text[] as conversations`,
    [leased],
  );
  const { names, organisations, conversations, contested } = found as Record<string, string[]>;
  const [ofRuns, ofTheirs, talks] = [new Set(names), new Set(organisations), new Set(conversations)];
  const isMark = ({ change, row }: Change) =>
    contested?.includes(row.match(uuid)?.[1] ?? "") &&
    changes.some((other) => other.change !== change && other.row !== row && unmarked(other.row) === unmarked(row));
  return changes.filter((change) => {
    const { table, row } = change;
    if (ofExecutors.includes(table)) return false;
    if (table === "app.memories" && isMark(change)) return false;
    const ids: string[] = row.match(uuid) ?? [];
    if (table === "app.conversations") return !ids.some((id) => talks.has(id));
    return !ids.some((id) => (ofOrganisations.includes(table) ? ofTheirs : ofRuns).has(id));
  });
}

/** New rows with text of a tainted run besides its own messages, steps and approvals, and the runs that one has started. */
export async function sinksOf(twin: Twin, changes: Change[]): Promise<Change[]> {
  const runs = await twin.sql(
    `select run.id, coalesce(parent.taint, false) as started
     from app.runs run
     left join app.runs parent on parent.organisation_id = run.organisation_id and parent.id = run.parent_run_id
     where run.taint or parent.taint`,
  );
  const tainted = new Set(runs.map(({ id }) => String(id)));
  const started = new Set(runs.filter(({ started }) => started).map(({ id }) => String(id)));
  const withinRun = ["app.messages", "app.steps", "app.step_results", "app.approvals"];
  return changes.filter(({ table, change, row }) => {
    const ids: string[] = row.match(uuid) ?? [];
    if (change === "gone") return false;
    if (table === "app.runs") return started.has(ids[1] ?? ""); // after the organisation's id
    return row.includes(ink) && !(withinRun.includes(table) && ids.some((id) => tainted.has(id)));
  });
}
