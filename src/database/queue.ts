/**
 * The job queue: the schema of graphile-worker. Owner owns it, and only `migrate` changes it. The worker may only read
 * and write rows (sql/policies/queue.sql), so it cannot replace a function or view that runs with other rights.
 */
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runMigrations, Logger as WorkerLogger } from "graphile-worker";
import type { Client, Pool } from "pg";

const logger = new WorkerLogger(() => () => {});
const reference = "graphile_worker_reference";

/** The version of graphile-worker, which has to match our definitions. */
export function queueVersion(): string {
  const main = createRequire(import.meta.url).resolve("graphile-worker");
  return (JSON.parse(readFileSync(new URL("../package.json", `file://${main}`), "utf8")) as { version: string })
    .version;
}

/** Runs the pending migrations of graphile-worker. */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  await runMigrations({ connectionString: ownerUrl, logger });
}

/**
 * Transfers the objects of worker in this database to owner: before 0.2, worker owned the queue. This takes membership
 * in both roles, which an administrator who is no superuser lacks.
 */
export async function transferQueueToOwner(admin: Client): Promise<void> {
  const { rowCount } = await admin.query(
    `select from pg_shdepend
     where refclassid = 'pg_authid'::regclass and refobjid = 'worker'::regrole and deptype = 'o'
       and dbid = (select oid from pg_database where datname = current_database())`,
  );
  if (!rowCount) return;
  const { rows } = await admin.query<{ super: boolean }>(
    "select rolsuper as super from pg_roles where rolname = current_user",
  );
  const isSuper = rows[0]?.super === true;
  await admin.query("begin");
  try {
    if (!isSuper) await admin.query("grant owner, worker to current_user with inherit true, set true");
    await admin.query("reassign owned by worker to owner");
    if (!isSuper) await admin.query("revoke owner, worker from current_user");
    await admin.query("commit");
  } catch (error) {
    await admin.query("rollback");
    throw error;
  }
}

/**
 * Records the intended definitions in audit.as_migrated. For the queue it records a fresh installation of the same
 * graphile-worker, so that the audit finds manual changes made before a migration.
 *
 * @param db inside the transaction that builds the definitions, as owner
 * @param policies the text of sql/policies/queue.sql
 */
export async function recordDefinitions(db: Client, policies: string): Promise<void> {
  await runMigrations({ pgPool: poolWithin(db), schema: reference, logger });
  await db.query(policies.replaceAll("graphile_worker", reference));
  await db.query(`refresh materialized view audit.as_migrated; drop schema ${reference} cascade`);
}

/**
 * A pool of this one connection inside its transaction. It skips graphile-worker's own commits and notifications. A
 * savepoint undoes a failed statement: graphile-worker's first statement reads a table that does not exist yet.
 */
function poolWithin(db: Client): Pool {
  const query = async (statement: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
    const text = typeof statement === "string" ? statement : statement.text;
    if (/^(begin|commit|select pg_notify\b)/.test(text)) return { rows: [] };
    await db.query("savepoint step");
    try {
      return await db.query(text, values ?? (typeof statement === "string" ? undefined : statement.values));
    } catch (error) {
      await db.query("rollback to savepoint step");
      throw error;
    }
  };
  const events = new EventEmitter().on("error", () => {}).on("connect", () => {});
  return Object.assign(events, { connect: async () => ({ query, release() {} }) }) as unknown as Pool;
}
