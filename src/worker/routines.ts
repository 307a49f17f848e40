/**
 * Polls for due routines every second, computes the next firing of each and fires it. jobs.fire_routine fires a routine once,
 * however many workers call it. (sql/jobs/routines.sql)
 */
import type { Pool } from "pg";
import { isOutage } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import { nextFiring } from "../routines/next-firing.ts";

const pollIntervalMs = 1_000;

type Due = {
  organisationId: string;
  routineId: string;
  schedule: string;
  timeZone: string;
  /** As text of PostgreSQL; "-infinity" if the next firing is not computed yet. */
  firingAt: string;
  /** Time of the database. */
  clock: Date;
};

const due = {
  name: "due routines",
  text: `select organisation_id as "organisationId", routine_id as "routineId", schedule, time_zone as "timeZone",
    firing_at as "firingAt", clock from jobs.due_routines($1)`,
};

export type RoutineClock = { stop(): Promise<void> };

export function startRoutineClock(pool: Pool, log: Log): RoutineClock {
  let busy: Promise<void> | undefined;
  let stopped = false;

  /**
   * Fires until no due routine is left. If a routine times out on a lock, the other routines of its organisation probably
   * would too, so they are skipped until the next poll.
   */
  async function fireAll(): Promise<void> {
    const skipped = new Set<string>();
    for (let again = true; again && !stopped; ) {
      const { rows } = await pool.query<Due>({ ...due, values: [[...skipped]] });
      again = false;
      for (const each of rows) {
        if (stopped) return;
        if (skipped.has(each.organisationId)) continue;
        const outcome = await fire(each);
        if (outcome === "blocked") skipped.add(each.organisationId);
        again = again || !["elsewhere", "failed", "waiting"].includes(outcome ?? "");
      }
    }
  }

  async function fire(routine: Due): Promise<string | undefined> {
    const { organisationId, routineId, schedule, timeZone, firingAt } = routine;
    try {
      const values = [organisationId, routineId, schedule, timeZone, firingAt, nextFiringOf(routine)];
      const { rows } = await pool.query<{ outcome: string }>({
        name: "fire routine",
        text: "select jobs.fire_routine($1, $2, $3, $4, $5, $6) as outcome",
        values,
      });
      const outcome = rows[0]?.outcome;
      if (outcome === "skipped" || outcome === "paused") log.info({ routineId, outcome }, "a routine started no run");
      return outcome;
    } catch (error) {
      log.warn({ routineId, error: faultOf(error) }, "firing a routine failed, will retry");
      return isOutage(error) ? "blocked" : "failed";
    }
  }

  /** Null if there is no next firing, or if this version of Node does not know the time zone. */
  function nextFiringOf({ routineId, schedule, timeZone, clock }: Due): Date | null {
    try {
      return nextFiring(schedule, timeZone, clock);
    } catch (error) {
      log.warn({ routineId, error: faultOf(error) }, "computing the next firing of a routine failed, will pause it");
      return null;
    }
  }

  const tick = () => {
    busy ??= fireAll()
      .catch((error: Error) => log.warn({ error: faultOf(error) }, "routine poll failed, will retry"))
      .finally(() => {
        busy = undefined;
      });
  };
  tick();
  const timer = setInterval(tick, pollIntervalMs);
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await busy;
    },
  };
}
