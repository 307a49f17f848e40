/**
 * Migrates a database: roles, the job queue, committed migrations, definitions, then partitions, under one advisory
 * lock. Safe to repeat: a second run changes nothing and completes an interrupted one. Concurrent runs wait for each
 * other.
 */
import { Client } from "pg";
import type { MasterKey } from "../secrets/master-key.ts";
import { appliedDigest, applyDefinitions, definitionsDigest } from "./definitions.ts";
import { ensureDatabase } from "./ensure-database.ts";
import { ensureRoles, separateExecutors } from "./ensure-roles.ts";
import { migrateQueue, transferQueueToOwner } from "./queue.ts";
import { migrateTables } from "./tables.ts";
import { urlAs } from "./urls.ts";

/** PostgreSQL 18.4 fixed eleven vulnerabilities. */
const oldestServer = 180004;
const migrationLock = 20251121;
const lockNotAvailable = "55P03";
const defaultLockTimeoutMs = 120_000;

export type Migration = {
  /** Of a login that may create roles, and schemas in this database. */
  adminUrl: string;
  key: MasterKey;
  /** Rebuild the definitions even if they are current, which repairs manual changes. */
  rebuild: boolean;
  progress?: (sentence: string) => void;
  /** How long to wait for another migration. Defaults to 120 seconds. */
  lockTimeoutMs?: number;
};

/**
 * Brings a database to the state that this version needs.
 *
 * @throws Error if the server is too old, a role has another owner, a file fails, or another session holds the
 *   lock for longer than `lockTimeoutMs`
 */
export async function migrate({
  adminUrl,
  key,
  rebuild,
  progress = () => {},
  lockTimeoutMs = defaultLockTimeoutMs,
}: Migration): Promise<void> {
  const admin = await connect(adminUrl);
  try {
    await requireServer(admin);
    await takeMigrationLock(admin, lockTimeoutMs);
    await ensureRoles(admin, key);
    await ensureDatabase(admin);
    await transferQueueToOwner(admin);

    progress("Applying migrations");
    const ownerUrl = urlAs("owner", adminUrl, key);
    await migrateQueue(ownerUrl);
    const owner = await connect(ownerUrl);
    try {
      await migrateTables(owner, ownerUrl);
      if (rebuild || (await appliedDigest(owner)) !== definitionsDigest()) {
        progress("Applying definitions");
        await applyDefinitions(owner);
      }
      await owner.query("select jobs.make_partitions('1 minute')");
    } finally {
      await owner.end();
    }
    await separateExecutors(admin);
  } finally {
    await admin.end();
  }
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {}); // the query in progress reports a lost connection
  await client.connect();
  return client;
}

/** @throws Error that names the session which holds the lock, after `lockTimeoutMs` */
async function takeMigrationLock(admin: Client, lockTimeoutMs: number): Promise<void> {
  await admin.query(`set lock_timeout = ${lockTimeoutMs}`);
  try {
    await admin.query("select pg_advisory_lock($1)", [migrationLock]);
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    throw new Error(await lockHolder(admin, lockTimeoutMs));
  } finally {
    await admin.query("reset lock_timeout").catch(() => {}); // the query above has reported a lost connection
  }
}

async function lockHolder(admin: Client, lockTimeoutMs: number): Promise<string> {
  const { rows } = await admin.query<{ pid: number; login: string; address: string; program: string; since: Date }>(
    `select holder.pid, session.usename as login, coalesce(host(session.client_addr), 'this machine') as address,
       session.application_name as program, session.backend_start as since
     from pg_locks holder
     join pg_stat_activity session on session.pid = holder.pid
     where holder.granted and holder.locktype = 'advisory' and holder.objsubid = 1
       and holder.classid = 0 and holder.objid = $1
       and holder.database = (select oid from pg_database where datname = current_database())`,
    [migrationLock],
  );
  const waited = `The migration lock was not free within ${lockTimeoutMs / 1000} seconds`;
  const [holder] = rows;
  if (!holder) return `${waited}. Run this again.`;
  const { pid, login, address, program, since } = holder;
  const named = program ? ` (${program})` : "";
  return (
    `${waited}. The session ${pid} of the login "${login}"${named}, connected from ${address} since ` +
    `${since.toISOString()}, holds it. Wait until it ends, or end it with: select pg_terminate_backend(${pid})`
  );
}

async function requireServer(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  const [server] = rows;
  if (server && server.number < oldestServer) {
    throw new Error(`Botstead needs PostgreSQL 18.4 or later; this server is ${server.name}.`);
  }
}
