/**
 * Migrates a database: roles, the job queue, committed migrations, definitions, then partitions, under one advisory
 * lock. Safe to repeat: a second run changes nothing and completes an interrupted one. Concurrent runs wait for each
 * other.
 */
import { Client, escapeIdentifier } from "pg";
import type { MasterKey } from "../secrets/master-key.ts";
import { type Reference, readReference } from "./builds.ts";
import { applyDefinitions } from "./definitions.ts";
import { ensureDatabase } from "./ensure-database.ts";
import { ensureRoles, separateExecutors } from "./ensure-roles.ts";
import { type Inspection, inspect, refuseDifferences } from "./inspection.ts";
import { migrateQueue } from "./queue.ts";
import { migrateTables } from "./tables.ts";
import { urlAs, urlOfDatabase } from "./urls.ts";

/** PostgreSQL 18.4 fixed eleven vulnerabilities. */
const oldestServer = 180004;
const migrationLock = 20251121;
const lockNotAvailable = "55P03";
const defaultLockTimeoutMs = 120_000;

export type Migration = {
  /** Of a login that may create roles, and schemas in this database. */
  adminUrl: string;
  key: MasterKey;
  /** Look for changes by hand even if the definitions are current. */
  examine?: boolean;
  /** Rebuild the definitions over changes by hand, and record these. */
  repair?: boolean;
  progress?: (sentence: string) => void;
  /** How long to wait for another migration. Defaults to 120 seconds. */
  lockTimeoutMs?: number;
};

/**
 * Brings a database to the state that this version needs.
 *
 * @throws Error if the server is too old, a newer version made the database, or its definitions were changed by hand
 * @throws Error if a role is not ours, a file fails, or another session holds the lock for too long
 */
export async function migrate({
  adminUrl,
  key,
  examine = false,
  repair = false,
  progress = () => {},
  lockTimeoutMs = defaultLockTimeoutMs,
}: Migration): Promise<void> {
  const ownerUrl = urlAs("owner", adminUrl, key);
  const admin = await connect(adminUrl);
  try {
    await requireServer(admin);
    await takeMigrationLock(admin, lockTimeoutMs);
    const inspection = async (owner: Client) => {
      const found = await inspect(owner, examine || repair);
      if (!repair) refuseDifferences(found);
      return found;
    };
    const early = await asOwner(ownerUrl, inspection).catch(ignoreMissingLogin);
    await ensureRoles(admin, key);
    await ensureDatabase(admin);
    await asOwner(ownerUrl, async (owner) => {
      const { isNew, isCurrent, differences } = early ?? (await inspection(owner));
      progress("Applying migrations");
      await migrateQueue(ownerUrl);
      await migrateTables(owner, ownerUrl);
      if (!isCurrent || repair) {
        progress("Applying definitions");
        await applyDefinitions(owner, {
          builtBy: await loginOf(admin),
          differences,
          reference: isNew ? "own" : isCurrent ? "recorded" : await makeReference(admin, adminUrl, key, progress),
        });
      }
      await owner.query("select jobs.make_partitions('1 minute')");
    });
    await separateExecutors(admin);
  } finally {
    await admin.end();
  }
}

/** What `migrate` would do, and what was changed by hand. Changes nothing. Undefined before the first migration. */
export async function inspectDatabase(adminUrl: string, key: MasterKey): Promise<Inspection | undefined> {
  return asOwner(urlAs("owner", adminUrl, key), async (owner) => {
    await owner.query("begin read only");
    return inspect(owner, true);
  }).catch(ignoreMissingLogin);
}

/** Before the first migration owner does not exist, or may not connect. */
function ignoreMissingLogin(error: unknown): undefined {
  const { code = "" } = error as { code?: string };
  if (!["28P01", "28000", "42501"].includes(code)) throw error;
}

/**
 * The definitions of a new database of this version. It is created beside the migrated one, and dropped. So what was
 * changed by hand never counts as built. Without the privilege to create one, the database itself is the reference.
 */
async function makeReference(
  admin: Client,
  adminUrl: string,
  key: MasterKey,
  progress: (sentence: string) => void,
): Promise<Reference> {
  const { rows } = await admin.query<{ name: string }>("select left(current_database(), 40) || '_reference' as name");
  const name = rows[0]?.name ?? "";
  const drop = `drop database if exists ${escapeIdentifier(name)} with (force)`;
  await admin.query(drop); // left by a migration that was killed
  try {
    await admin.query(`create database ${escapeIdentifier(name)} template template0`);
  } catch (error) {
    if ((error as { code?: string }).code !== "42501") throw error;
    progress("The administrator may not create databases, so the tables are not compared with new ones");
    return "own";
  }
  try {
    const url = urlOfDatabase(name, adminUrl);
    await migrate({ adminUrl: url, key });
    return await asOwner(urlAs("owner", url, key), readReference);
  } finally {
    await admin.query(drop);
  }
}

async function loginOf(admin: Client): Promise<string> {
  const { rows } = await admin.query<{ login: string }>(
    "select session_user || coalesce(' from ' || host(inet_client_addr()), '') as login",
  );
  return rows[0]?.login ?? "";
}

async function asOwner<T>(ownerUrl: string, use: (owner: Client) => Promise<T>): Promise<T> {
  const owner = await connect(ownerUrl);
  try {
    return await use(owner);
  } finally {
    await owner.end();
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
