/**
 * The lock under which one migration at a time runs. It is a table lock, since any login could take an advisory lock. It
 * ends with its session, also if the process is killed.
 */
import type { Client } from "pg";
import { openSession } from "./connections/session.ts";
import { unhindered } from "./sessions.ts";

export const defaultLockTimeoutMs = 120_000;
/** Waits for this time before it names the session that holds the lock. */
const silentMs = 2_000;

const lockNotAvailable = "55P03";
/** Errors when two sessions create the schema or the table at the same time. */
const alreadyMade = ["23505", "42P06", "42P07", "XX000"];

/** Owner made the schema, so no other role may lock its table. */
const makeTable = `
  create schema if not exists migration;
  create table if not exists migration.lock ();
  alter table migration.lock enable row level security, force row level security;
  comment on table migration.lock is 'Without rows: botstead migrate locks it.';
`;

/**
 * @param progress gets a sentence that names the session which holds the lock, once
 * @throws LockHeldError that names it, after `timeoutMs`
 */
export async function withMigrationLock<T>(
  ownerUrl: string,
  timeoutMs: number,
  work: () => Promise<T>,
  progress: (sentence: string) => void = () => {},
): Promise<T> {
  const holder = await openSession(ownerUrl, "botstead migrate, lock");
  try {
    await holder.query(unhindered); // it is idle during the work
    const { rows } = await holder.query("select where to_regclass('migration.lock') is null");
    if (rows.length > 0) {
      await holder.query(makeTable).catch((error) => {
        if (!alreadyMade.includes((error as { code?: string }).code ?? "")) throw error;
      });
    }
    const lock = (withinMs: number) =>
      lockWithin(holder, withinMs, { table: "migration.lock" }, async () => {
        // This mode takes no transaction id, so the transaction does not hold back vacuum.
        await holder.query("begin; lock table migration.lock in exclusive mode");
      });
    await lock(Math.min(silentMs, timeoutMs)).catch((error) => {
      if (timeoutMs <= silentMs || !(error instanceof LockHeldError)) throw error;
      progress(error.message);
      return lock(timeoutMs);
    });
    const result = await work();
    await holder.query("commit"); // fails if the lock was lost meanwhile
    return result;
  } finally {
    await holder.end();
  }
}

class LockHeldError extends Error {}

type Wanted = { table: string } | { advisory: bigint };

/**
 * Runs `lock`, which waits for a lock, with a time-out.
 *
 * @throws LockHeldError that names the session which holds the lock
 */
export async function lockWithin(
  client: Client,
  timeoutMs: number,
  wanted: Wanted,
  lock: () => Promise<void>,
): Promise<void> {
  await client.query(`set lock_timeout = ${timeoutMs}`);
  try {
    await lock();
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    await client.query("rollback"); // it is aborted
    throw new LockHeldError(await holderOf(client, timeoutMs, wanted));
  } finally {
    await client.query("set lock_timeout = 0").catch(() => {}); // the query above has reported a lost connection
  }
}

type Holder = { pid: number; login: string; address: string; program: string; since: Date };

const columnsOfHolder = `
  holder.pid, session.usename as login, coalesce(host(session.client_addr), 'this machine') as address,
  session.application_name as program, coalesce(session.xact_start, session.backend_start) as since`;

/** What the session holds, since when, and how to end it. */
function describeHolder({ pid, login, address, program, since }: Holder, what: string): string {
  return (
    `The session ${pid} of the login "${login}"${program ? ` (${program})` : ""}, from ${address}, holds ${what}` +
    `${since ? ` since ${since.toISOString()}` : ""}. ` +
    `Wait until it ends, or end it with: select pg_terminate_backend(${pid})`
  );
}

/** The oldest transaction that has locked a table of these schemas. Undefined if there is none. */
export async function holderOfTable(client: Client, schemas: string[]): Promise<string | undefined> {
  const { rows } = await client.query<Holder & { locked: string }>(
    `select ${columnsOfHolder}, class.oid::regclass::text as locked
     from pg_locks holder
     join pg_stat_activity session on session.pid = holder.pid
     join pg_class class on class.oid = holder.relation and class.relnamespace = any ($1::regnamespace[])
     where holder.granted and holder.pid <> pg_backend_pid()
       and holder.database = (select oid from pg_database where datname = current_database())
     order by session.xact_start nulls last, class.relkind = 'i', locked
     limit 1`,
    [schemas],
  );
  return rows[0] && describeHolder(rows[0], `a lock on ${rows[0].locked}`);
}

async function holderOf(client: Client, timeoutMs: number, wanted: Wanted): Promise<string> {
  const { rows } = await client.query<Holder>(
    `select ${columnsOfHolder}
     from pg_locks holder
     join pg_stat_activity session on session.pid = holder.pid
     where holder.granted and holder.database = (select oid from pg_database where datname = current_database())
       and (
         holder.relation = to_regclass($1)
         or holder.locktype = 'advisory' and holder.objsubid = 1
           and (holder.classid::bigint << 32) + holder.objid::bigint = $2
       )`,
    "table" in wanted ? [wanted.table, null] : [null, wanted.advisory],
  );
  const waited = `The migration lock was not free within ${timeoutMs / 1000} seconds`;
  const [holder] = rows;
  return `${waited}. ${holder ? describeHolder(holder, "it") : "Run this again."}`;
}
