/**
 * Fires routines: asks every second which are due, works out when each comes next, and has it fired. The database does
 * the firing, once however many workers ask. (sql/jobs/routines.sql)
 */
import type { Pool } from "pg";
import { isOutage } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import { nextFiring } from "../routines/next-firing.ts";

const askEveryMs = 1_000;

type Due = {
  organisationId: string;
  routineId: string;
  schedule: string;
  timeZone: string;
  /** As the database wrote it; "-infinity" for one that has not been planned yet. */
  firingAt: string;
  /** The database's. */
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
   * Until nothing is found that could be moved on. Where one waits for a lock that is held for long, its organisation's others
   * would most likely wait as long: they are passed over until the next look, and hold up nobody.
   */
  async function fireAll(): Promise<void> {
    const passed = new Set<string>();
    for (let again = true; again && !stopped; ) {
      const { rows } = await pool.query<Due>({ ...due, values: [[...passed]] });
      again = false;
      for (const each of rows) {
        if (stopped) return;
        if (passed.has(each.organisationId)) continue;
        const outcome = await fire(each);
        if (outcome === "held up") passed.add(each.organisationId);
        again = again || (outcome !== "elsewhere" && outcome !== "failed");
      }
    }
  }

  async function fire(routine: Due): Promise<string | undefined> {
    const { organisationId, routineId, schedule, timeZone, firingAt } = routine;
    try {
      const values = [organisationId, routineId, schedule, timeZone, firingAt, comesNext(routine)];
      const { rows } = await pool.query<{ outcome: string }>({
        name: "fire routine",
        text: "select jobs.fire_routine($1, $2, $3, $4, $5, $6) as outcome",
        values,
      });
      const outcome = rows[0]?.outcome;
      if (outcome === "skipped" || outcome === "paused") log.info({ routineId, outcome }, "a routine started no run");
      return outcome;
    } catch (error) {
      log.warn({ routineId, error: faultOf(error) }, "a routine was not fired; it will be tried again");
      return isOutage(error) ? "held up" : "failed";
    }
  }

  /** Null where there is no next time, also because the zone is none any more to the Node of today. */
  function comesNext({ routineId, schedule, timeZone, clock }: Due): Date | null {
    try {
      return nextFiring(schedule, timeZone, clock);
    } catch (error) {
      log.warn({ routineId, error: faultOf(error) }, "a routine's schedule is not understood");
      return null;
    }
  }

  const tick = () => {
    busy ??= fireAll()
      .catch((error: Error) => log.warn({ error: faultOf(error) }, "routines were not looked at; they will be"))
      .finally(() => {
        busy = undefined;
      });
  };
  tick();
  const timer = setInterval(tick, askEveryMs);
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await busy;
    },
  };
}
