/** A database that does not answer: another session has locked the tables. */
import type { TestDatabase } from "../support/database.ts";
import { begun } from "../support/transactions.ts";

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
