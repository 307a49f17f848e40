/** Retention, called directly. */
import type { TestDatabase } from "./database.ts";

/** Drops all partitions past their retention, as a worker does. @returns their names, in order */
export async function dropAll(db: TestDatabase): Promise<string[]> {
  const worker = db.poolAs("worker", 1);
  const dropped: string[] = [];
  for (;;) {
    const { rows } = await worker.query<{ partition: string | null }>("select jobs.drop_partition() as partition");
    if (!rows[0]?.partition) return dropped;
    dropped.push(...rows[0].partition.split(", "));
  }
}
