/**
 * Calls the maintenance functions of schema jobs, at start and then periodically. Two workers may call them at the same time.
 *
 * - every 5 seconds: recover jobs and deliveries of lost workers; clean up after deleted bots and withdrawn models;
 * - every 5 seconds: delete organisations whose time has come;
 * - every hour: delete what has expired, announce keys that will expire, create partitions for the coming weeks, drop partitions past their retention.
 */
import type { Pool } from "pg";
import { faultOf, type Log } from "../log.ts";
import { deleteOrganisations } from "./deletions.ts";

const runIntervalMs = 5_000;
const hourlyIntervalMs = 3_600_000;
/** Batches per function and run, so that a large clean-up does not delay recovery. */
const maxBatchesPerRun = 5;

export type Maintenance = { stop(): Promise<void> };

/** A step that fails is retried at the next run, and does not stop the other steps. */
type Step = { name: string; intervalMs: number; work(): Promise<void>; doneAt: number };

const step = (name: string, intervalMs: number, work: () => Promise<void>): Step => ({
  name,
  intervalMs,
  work,
  doneAt: 0,
});

export function startMaintenance(pool: Pool, log: Log): Maintenance {
  let busy: Promise<void> | undefined;
  const steps = [
    step("run_maintenance", 0, async () => {
      const { rows } = await pool.query<{ freed: number; requeued: number }>("select * from jobs.run_maintenance()");
      const [recovered] = rows;
      if (recovered && recovered.freed + recovered.requeued > 0) log.info(recovered, "recovered jobs of lost workers");
    }),
    ...["cancel_runs_of_bots", "delete_memories_of_bots", "fail_runs_of_withdrawn_models"].map((name) =>
      step(name, 0, async () => {
        for (let batch = 0; batch < maxBatchesPerRun; batch += 1) {
          const { rows } = await pool.query<{ more: boolean }>(`select jobs.${name}() as more`);
          if (!rows[0]?.more) break;
        }
      }),
    ),
    step("delete_organisations", 0, async () => {
      await deleteOrganisations(pool, log);
    }),
    ...[
      "delete_old_request_minutes",
      "delete_old_key_days",
      "delete_old_refused_credentials",
      "delete_old_portal_sessions",
      "delete_old_authorization_codes",
      "delete_old_exports",
      "delete_old_results",
      "announce_expiring_keys",
    ].map((name) =>
      step(name, hourlyIntervalMs, async () => {
        for (let more = true; more; ) {
          const { rows } = await pool.query<{ some: boolean }>(`select jobs.${name}() > 0 as some`);
          more = rows[0]?.some === true;
        }
      }),
    ),
    step("make_partitions", hourlyIntervalMs, async () => {
      const { rows } = await pool.query<{ weeks: number }>("select jobs.make_partitions() as weeks");
      if (rows[0]?.weeks) log.info(rows[0], "created partitions");
    }),
    // Before the entries are recorded that the next hour drops: a checkpoint comes between.
    ...["truncate_day", "drop_partition"].map((name) =>
      step(name, hourlyIntervalMs, async () => {
        for (;;) {
          const { rows } = await pool.query<{ partition: string | null }>(`select jobs.${name}() as partition`);
          if (!rows[0]?.partition) break;
          log.info(rows[0], "dropped expired data");
        }
      }),
    ),
    step("record_truncations", hourlyIntervalMs, async () => {
      for (let more = true; more; ) {
        const { rows } = await pool.query<{ some: boolean }>("select jobs.record_truncations() > 0 as some");
        more = rows[0]?.some === true;
      }
    }),
  ];

  async function run(): Promise<void> {
    for (const each of steps) {
      if (Date.now() - each.doneAt < each.intervalMs) continue;
      try {
        await each.work();
        each.doneAt = Date.now();
      } catch (error) {
        log.warn({ step: each.name, error: faultOf(error) }, "maintenance step failed, will retry");
      }
    }
  }

  const tick = () => {
    busy ??= run().finally(() => {
      busy = undefined;
    });
  };
  tick();
  const timer = setInterval(tick, runIntervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await busy;
    },
  };
}
