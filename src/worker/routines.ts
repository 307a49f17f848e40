/**
 * Fires routines: asks every second which are due, works out when each comes next, and has it fired. The database does
 * the firing, once however many workers ask. (sql/jobs/routines.sql)
 */
import type { Pool } from "pg";
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
    firing_at as "firingAt", clock from jobs.due_routines()`,
};

export type RoutineClock = { stop(): Promise<void> };

export function startRoutineClock(pool: Pool, log: Log): RoutineClock {
  let busy: Promise<void> | undefined;
  let stopped = false;

  /** Until a look finds nothing that it could move on. */
  async function fireAll(): Promise<void> {
    for (let moved = true; moved && !stopped; ) {
      const { rows } = await pool.query<Due>(due);
      moved = false;
      for (const each of rows) {
        if (stopped) return;
        moved = (await fire(each)) || moved;
      }
    }
  }

  /** One that can't be fired now, as behind a lock that is held for long, holds up no other: it is due at the next look. */
  async function fire(routine: Due): Promise<boolean> {
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
      return outcome !== "elsewhere";
    } catch (error) {
      log.warn({ routineId, error: faultOf(error) }, "a routine was not fired; it will be tried again");
      return false;
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
