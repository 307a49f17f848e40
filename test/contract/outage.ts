/** A database that does not answer: another session has locked the tables. */
import type { TestDatabase } from "../support/database.ts";
import { begun } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

/**
 * @param mode exclusive blocks writers, access exclusive also readers
 * @param work receives a function that counts the waiting locks; the lock ends with it. A write waits 50 ms in a shared
 *   transaction before it waits alone, and gives up its Idempotency-Key between the two: only a longer wait counts.
 */
export async function whileLocked<T>(
  db: TestDatabase,
  tables: string[],
  mode: "exclusive" | "access exclusive",
  work: (waiting: () => Promise<number>) => Promise<T>,
): Promise<T> {
  const holder = await begun(db);
  try {
    await holder.query(`lock table ${tables.join(", ")} in ${mode} mode`);
    await replayed(db);
    return await work(async () => {
      const [row] = await db.sql<{ count: number }>(
        // A copy of a database has the oids of its template.
        `select count(*)::integer from pg_locks
         where not granted and relation = any ($1::regclass[]) and waitstart < clock_timestamp() - interval '500 ms'
           and database = (select oid from pg_database where datname = current_database())`,
        [tables],
      );
      return row?.count ?? 0;
    });
  } finally {
    await holder.query("rollback");
  }
}

/** A standby that answers reads has the lock once it has replayed it. The message is flushed, and so is what came before. */
async function replayed(db: TestDatabase): Promise<void> {
  const [row] = await db.sql<{ lsn: string }>("select pg_logical_emit_message(true, 'test', 'locked')::text as lsn");
  await eventually(async () => {
    const behind = await db.sql("select from pg_stat_replication where replay_lsn < $1::pg_lsn", [row?.lsn]);
    return behind.length === 0;
  });
}
