/**
 * Asks the database, every few seconds and at once when a worker starts, to free what dead workers hold and to queue
 * what was lost (jobs.sweep), and every hour to forget what has expired (jobs.forget). The database decides; two
 * workers that ask at once do no harm.
 */
import type { Pool } from "pg";
import type { Log } from "../log.ts";

const sweepEveryMs = 5_000;
const forgetEveryMs = 3_600_000;

export type Sweeper = { stop(): Promise<void> };

export function startSweeper(pool: Pool, log: Log): Sweeper {
  let busy: Promise<void> | undefined;
  let forgotAt = 0;

  async function sweep(): Promise<void> {
    const { rows } = await pool.query<{ freed: number; requeued: number }>("select * from jobs.sweep()");
    const [found] = rows;
    if (found && found.freed + found.requeued > 0) log.info(found, "recovered what a worker left behind");
    if (Date.now() - forgotAt < forgetEveryMs) return;
    forgotAt = Date.now();
    await pool.query("select jobs.forget()");
  }

  const tick = () => {
    busy ??= sweep()
      .catch((error: Error) => log.warn({ error: error.message }, "the sweep was not made; the next one will be"))
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
