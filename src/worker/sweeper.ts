/**
 * Asks the database, every few seconds and at once when a worker starts, to free what dead workers hold and to queue
 * what was lost (jobs.sweep), and every hour to tidy up: to forget what has expired (jobs.empty_day), to make the
 * partitions of the weeks ahead and to drop those that have been kept long enough (sql/jobs/partitions.sql). The
 * database decides; two workers that ask at once do no harm.
 */
import type { Pool } from "pg";
import { faultOf, type Log } from "../log.ts";

const sweepEveryMs = 5_000;
const tidyEveryMs = 3_600_000;

export type Sweeper = { stop(): Promise<void> };

export function startSweeper(pool: Pool, log: Log): Sweeper {
  let busy: Promise<void> | undefined;
  let tidiedAt = 0;

  async function sweep(): Promise<void> {
    const { rows } = await pool.query<{ freed: number; requeued: number }>("select * from jobs.sweep()");
    const [found] = rows;
    if (found && found.freed + found.requeued > 0) log.info(found, "recovered what a worker left behind");
    if (Date.now() - tidiedAt < tidyEveryMs) return;
    await tidy();
    tidiedAt = Date.now();
  }

  async function tidy(): Promise<void> {
    for (let more = true; more; ) {
      const { rows } = await pool.query<{ some: boolean }>("select jobs.forget_request_minutes() > 0 as some");
      more = rows[0]?.some === true;
    }
    const made = await pool.query<{ weeks: number }>("select jobs.make_partitions() as weeks");
    if (made.rows[0]?.weeks) log.info(made.rows[0], "made partitions ahead");
    for (const way of ["empty_day", "drop_partition"]) {
      for (;;) {
        const { rows } = await pool.query<{ partition: string | null }>(`select jobs.${way}() as partition`);
        if (!rows[0]?.partition) break;
        log.info(rows[0], "dropped what had been kept long enough");
      }
    }
  }

  const tick = () => {
    busy ??= sweep()
      .catch((error: Error) => log.warn({ error: faultOf(error) }, "the sweep was not made; the next one will be"))
      .finally(() => {
        busy = undefined;
      });
  };
  tick();
  const timer = setInterval(tick, sweepEveryMs);
  return {
    async stop() {
      clearInterval(timer);
      await busy;
    },
  };
}
