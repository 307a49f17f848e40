/** Retention, asked by hand. */
import type { TestDatabase } from "./database.ts";

/** All partitions that have been kept long enough, as a worker that tidies up drops them. @returns their names, in that order */
export async function dropAll(db: TestDatabase): Promise<string[]> {
  const worker = db.poolAs("worker", 1);
  const dropped: string[] = [];
  for (;;) {
    const { rows } = await worker.query<{ partition: string | null }>("select jobs.drop_partition() as partition");
    if (!rows[0]?.partition) return dropped;
    dropped.push(...rows[0].partition.split(", "));
  }
}
