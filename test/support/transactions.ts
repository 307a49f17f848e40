/** Transactions that a test ends, and sessions that wait for them. */
import { Client, type Pool, type PoolClient } from "pg";
import type { LoginRole } from "../../src/database/roles.ts";
import { urlAs } from "../../src/database/urls.ts";
import type { TestDatabase } from "./database.ts";
import { whenTestEnds } from "./test-ends.ts";
import { eventually } from "./worker.ts";

/** Begins a transaction, as administrator unless a role is named. It ends with its test. */
export async function begun({ adminUrl, key }: TestDatabase, role?: LoginRole): Promise<Client> {
  const client = new Client({ connectionString: role ? urlAs(role, adminUrl, key) : adminUrl });
  whenTestEnds(() => client.end());
  await client.connect();
  await client.query("begin");
  return client;
}

/** Does `work` in a transaction of this credential, as tenant, and rolls it back. */
export async function asTenant<T>(pool: Pool, digest: Buffer, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select caller.authenticate($1, 'get_me')", [digest]);
    await client.query("set local role tenant");
    return await work(client);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Does `work` in a transaction of an admin who reads, as tenant, and rolls it back. */
export async function asPerson<T>(
  pool: Pool,
  organisation: string,
  person: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(
      `select set_config('caller.organisation_id', $1, true), set_config('caller.person_id', $2, true),
         set_config('caller.scope', 'read', true), set_config('caller.role', 'admin', true)`,
      [organisation, person],
    );
    await client.query("set local role tenant");
    return await work(client);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Resolves when this many sessions wait for a lock, or when the last call has returned without waiting. */
export async function untilWaiting(db: TestDatabase, count: number, last: Promise<unknown>): Promise<void> {
  let answered = false;
  const settle = () => {
    answered = true;
  };
  last.then(settle, settle);
  await eventually(async () => {
    const waiting = await db.sql(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return answered || waiting.length >= count;
  });
}

/** The number of sessions that wait for a lock. @param of a condition on pg_stat_activity, by default the API's sessions */
export async function lockWaits(db: Pick<TestDatabase, "sql">, of = "usename = 'server'"): Promise<number> {
  const rows = await db.sql(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and ${of}`,
  );
  return rows.length;
}

/** Terminates the sessions of an application that wait for a lock, as soon as there are any. */
export async function terminateWaiting(
  db: Pick<TestDatabase, "sql">,
  application: string,
  lock?: "relation",
): Promise<void> {
  await eventually(async () => {
    const terminated = await db.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'
         and wait_event = coalesce($2, wait_event)`,
      [application, lock],
    );
    return terminated.length > 0;
  });
}

/** The number of sessions of this database that wait for an advisory lock. */
export async function advisoryWaits(db: Pick<TestDatabase, "sql">): Promise<number> {
  const rows = await db.sql(
    `select from pg_locks
     where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}
