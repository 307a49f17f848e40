/**
 * Asks the database, every few seconds and at once when a worker starts, to free what dead workers hold, to queue what was
 * lost (jobs.sweep), and to cancel and erase what is left of deleted bots (jobs.cancel_runs, jobs.forget_claims); and every hour to tidy up: to forget
 * what has expired (jobs.empty_day), to make the partitions of the weeks ahead and to drop those that have been kept long
 * enough (sql/jobs/partitions.sql). The database decides; two workers that ask at once do no harm.
 */
import type { Pool } from "pg";
import { faultOf, type Log } from "../log.ts";

const lookEveryMs = 5_000;
const tidyEveryMs = 3_600_000;
/** Parts of what is left of deleted bots, so that what is lost is looked for nearly as often as ever. */
const mostPartsAtOnce = 5;

export type Sweeper = { stop(): Promise<void> };

/** What fails is tried again at the next look, and keeps nothing else from being done. */
type Step = { what: string; everyMs: number; work(): Promise<void>; doneAt: number };

const step = (what: string, everyMs: number, work: () => Promise<void>): Step => ({ what, everyMs, work, doneAt: 0 });

export function startSweeper(pool: Pool, log: Log): Sweeper {
  let busy: Promise<void> | undefined;
  const steps = [
    step("sweep", 0, async () => {
      const { rows } = await pool.query<{ freed: number; requeued: number }>("select * from jobs.sweep()");
      const [found] = rows;
      if (found && found.freed + found.requeued > 0) log.info(found, "recovered what a worker left behind");
    }),
    ...["cancel_runs", "forget_claims"].map((way) =>
      step(way, 0, async () => {
        for (let part = 0; part < mostPartsAtOnce; part += 1) {
          const { rows } = await pool.query<{ more: boolean }>(`select jobs.${way}() as more`);
          if (!rows[0]?.more) break;
        }
      }),
    ),
    step("forget_request_minutes", tidyEveryMs, async () => {
      for (let more = true; more; ) {
        const { rows } = await pool.query<{ some: boolean }>("select jobs.forget_request_minutes() > 0 as some");
        more = rows[0]?.some === true;
      }
    }),
    step("make_partitions", tidyEveryMs, async () => {
      const { rows } = await pool.query<{ weeks: number }>("select jobs.make_partitions() as weeks");
      if (rows[0]?.weeks) log.info(rows[0], "made partitions ahead");
    }),
    ...["empty_day", "drop_partition"].map((way) =>
      step(way, tidyEveryMs, async () => {
        for (;;) {
          const { rows } = await pool.query<{ partition: string | null }>(`select jobs.${way}() as partition`);
          if (!rows[0]?.partition) break;
          log.info(rows[0], "dropped what had been kept long enough");
        }
      }),
    ),
  ];

  async function look(): Promise<void> {
    for (const each of steps) {
      if (Date.now() - each.doneAt < each.everyMs) continue;
      try {
        await each.work();
        each.doneAt = Date.now();
      } catch (error) {
        log.warn(
          { step: each.what, error: faultOf(error) },
          "a step of the sweep was not made; it will be tried again",
        );
      }
    }
  }

  const tick = () => {
    busy ??= look().finally(() => {
      busy = undefined;
    });
  };
  tick();
  const timer = setInterval(tick, lookEveryMs);
  return {
    async stop() {
      clearInterval(timer);
      await busy;
    },
  };
}
