/** The checkpoint job over a test's database, run by hand. */
import { verifyDatabase } from "../../src/cli/audit-log.ts";
import { asAuditor } from "../../src/cli/audit-session.ts";
import { readConfig } from "../../src/config.ts";
import { signerFrom } from "../../src/secrets/note-key.ts";
import { type CheckpointJob, makeCheckpointJob } from "../../src/transparency/checkpoints/job.ts";
import type { Budget, Outcome } from "../../src/transparency/checkpoints/run.ts";
import type { Witness } from "../../src/transparency/checkpoints/witness.ts";
import type { TestDatabase } from "./database.ts";
import { log } from "./logged.ts";

export const logSigner = signerFrom("test.example/audit", 1, Buffer.alloc(32, 1));

export function testCheckpoints(
  db: TestDatabase,
  {
    witnesses = [],
    budget,
    signer = logSigner,
  }: { witnesses?: Witness[]; budget?: Budget; signer?: typeof logSigner } = {},
): CheckpointJob {
  const pool = db.poolAs("worker", 2);
  return makeCheckpointJob({ pool, log, signer, witnesses, pauseMs: 0, ...(budget && { budget }) });
}

/** What `botstead audit verify` finds. */
export const verifyLog = ({ adminUrl, key }: TestDatabase, signer = logSigner) =>
  asAuditor((auditor) => verifyDatabase(auditor, [signer], []), { config: readConfig(), key, adminUrl });

/** Faults of an outcome as text, for example "altered 7", and "rewritten" without its week. */
export const faultsOf = (outcome: Outcome | undefined): string[] | undefined =>
  outcome?.open.map(({ fault, sequence }) => (fault === "rewritten" ? fault : `${fault} ${sequence}`)).sort();

/** Memories, one audit entry each. */
export const writeEntries = (db: TestDatabase, organisation: string, entries: number) =>
  db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'fact', 'We', 'We are number ' || number, 'member', 'test'
     from generate_series(1, $2::integer) number`,
    [organisation, entries],
  );

/** Runs statements as a superuser who disables all triggers. Statistics reach other sessions at once, not within 10 seconds. */
export async function tamper(db: TestDatabase, ...statements: string[]): Promise<void> {
  await db.sql(
    `begin; set local session_replication_role = replica; ${statements.join(";")}; select pg_stat_force_next_flush(); commit`,
  );
}

const tablesOfLog = ["audit_log", "audit_chain_heads", "audit_leaves", "audit_tiles", "audit_checkpoints"];

/**
 * Copies the rows of the audit log, as a backup does. Returns a function that restores them.
 *
 * @param more further tables; a table follows the tables that it refers to
 */
export async function copyLog(db: TestDatabase, ...more: string[]): Promise<() => Promise<void>> {
  const tables = [...tablesOfLog, ...more];
  await db.sql(tables.map((table) => `create table kept_${table} as select * from app.${table}`).join(";"));
  const [{ columns } = { columns: "" }] = await db.sql<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
     where attrelid = 'app.audit_log'::regclass and attnum > 0 and attgenerated = ''`,
  );
  return () =>
    tamper(
      db,
      ...tables.toReversed().map((table) => `delete from app.${table}`),
      ...tables.map((table) =>
        table === "audit_log"
          ? `insert into app.audit_log (${columns}) select ${columns} from kept_audit_log`
          : `insert into app.${table} overriding system value select * from kept_${table}`,
      ),
    );
}

/** Simulates an organisation of 2020: replaces all entries of the log by five of its entries with ids of a week of that year. */
export async function writeOldWeek(db: TestDatabase, organisation: string): Promise<void> {
  await db.sql("select jobs.make_week('2020-01-06Z')");
  // A superuser can hide it from PostgreSQL's counters.
  await db.sql(
    "begin; set local session_replication_role = replica; set local track_counts = off; delete from app.audit_log; commit",
  );
  await db.sql(
    `with recursive old as (
       select 0::bigint as sequence, null::uuid as id, sha256(convert_to($1::uuid::text, 'UTF8')) as hash
       union all
       select old.sequence + 1, made.id,
         audit.entry_hash(old.hash, $1, old.sequence + 1, made.id, audit.entry_text(
           'system', null, null, null, null, null, 'created', 'memory', null, '{}', null, null))
       from old, lateral (select uuidv7('2020-01-07Z'::timestamptz - now() + old.sequence * interval '1 second') as id) made
       where old.sequence < 5
     ), written as (
       insert into app.audit_log (organisation_id, id, sequence, actor, action, resource, changed, hash)
       select $1, id, sequence, 'system', 'created', 'memory', '{}', hash from old where sequence > 0
       returning 1
     )
     update app.audit_chain_heads set sequence = 5, entry_id = old.id, hash = old.hash
     from old where old.sequence = 5 and organisation_id = $1 and (select count(*) from written) = 5`,
    [organisation],
  );
}
