/** Routines of customers, with polls of the routine clock that the test makes itself. */
import type { Pool } from "pg";
import { nextFiring } from "../../src/routines/next-firing.ts";
import type { Json } from "./api.ts";
import { makeExecutor, setLimits } from "./database.ts";
import { type Customer, customer, ownOfficeOfFile } from "./post-office.ts";

export type Due = Record<"organisation_id" | "routine_id" | "schedule" | "time_zone" | "firing_at", string> & {
  clock: Date;
};

export const noon = { name: "Noon", schedule: "0 12 * * *", timeZone: "Europe/Berlin", message: "What is new?" };

/** Fires a due routine, as a worker does. Returns the outcome. */
export async function fire(pool: Pool, due: Due, next = nextFiring(due.schedule, due.time_zone, due.clock)) {
  const values = [due.organisation_id, due.routine_id, due.schedule, due.time_zone, due.firing_at, next];
  const { rows } = await pool.query("select jobs.fire_routine($1, $2, $3, $4, $5, $6) as outcome", values);
  return rows[0].outcome as string;
}

/** The post office of a test file without a worker, with an executor that stays alive. */
export function routinesOfFile() {
  const office = ownOfficeOfFile({ worker: false });
  let pool: Pool;
  beforeAll(async () => {
    await makeExecutor(office.db, ["recall", "unserved"]);
    await office.db.sql("update app.executors set last_seen_at = now() + interval '1 year'");
    pool = office.db.poolAs("worker");
  });

  const due = async () => (await pool.query<Due>("select * from jobs.due_routines()")).rows;

  /** One poll of the routine clock for this organisation. Returns the outcomes. */
  async function poll({ organisation }: Customer): Promise<string[]> {
    const outcomes = [];
    for (const each of await due()) {
      if (each.organisation_id === organisation.id) outcomes.push(await fire(pool, each));
    }
    return outcomes;
  }

  return {
    office,
    poll,
    fire: (due: Due, next?: Date) => fire(pool, due, next),
    /** The routine as a poll returns it, which must be due. */
    dueOf: async ({ id }: Json) => (await due()).find((each) => each.routine_id === id) as Due,

    /** A customer with a planned routine. */
    async withRoutine(more: Json = {}): Promise<[Customer, Json]> {
      const ada = await customer(office);
      const routine = (await ada.ask("POST", "/routines", { botId: ada.bot, ...noon, ...more })).body;
      await poll(ada); // plans routines that the API did not plan, because a test moved the clock
      const planned = await ada.routine(routine);
      expect(planned.nextFiringAt).not.toBeNull();
      return [ada, planned];
    },

    runsOf: async (ada: Customer): Promise<Json[]> => (await ada.ask("GET", "/runs?limit=200")).body.data,

    /** Makes the routine due, since a moment ago by default. */
    comeDue: ({ id }: Json, ago = "1 second") =>
      office.db.sql("update app.routines set next_firing_at = times.clock() - $2::interval where id = $1", [id, ago]),

    /** Creates routines that are due, with enough limits to start all runs. */
    async addDue(ada: Customer, count: number): Promise<void> {
      await setLimits(office.db, ada.organisation.id, { routineStartsPerHour: 1000, liveRoutines: 1000 });
      await office.db.sql(
        `insert into app.routines (organisation_id, bot_id, name, schedule, time_zone, message, created_by, next_firing_at)
         select $1, $2, 'Many', '0 12 * * *', 'UTC', 'Hello', $3, times.clock() - interval '1 minute'
         from generate_series(1, $4)`,
        [ada.organisation.id, ada.bot, ada.organisation.ownerId, count],
      );
    },
  };
}
