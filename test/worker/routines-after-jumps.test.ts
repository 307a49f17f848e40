/** Routines after the database's clock jumps. */
import type { Pool } from "pg";
import { nextFiring } from "../../src/routines/next-firing.ts";
import type { RunningWorker } from "../../src/worker/worker.ts";
import type { Json } from "../support/api.ts";
import { makeExecutor } from "../support/database.ts";
import { type Customer, customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { type Due, fire } from "../support/routines.ts";
import { eventually, testWorker } from "../support/worker.ts";

let office: PostOffice;
let pool: Pool;
let worker: RunningWorker | undefined;

beforeEach(async () => {
  office = await openPostOffice({ worker: false });
  await makeExecutor(office.db, ["recall"]);
  pool = office.db.poolAs("worker");
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await office.close();
});

const work = async () => {
  worker = await testWorker(office.db, office.settings);
};
const sql = (text: string, values: unknown[] = []) => office.db.sql(text, values);

const hourly = { name: "Hourly", schedule: "0 * * * *", timeZone: "UTC", message: "What is new?" };
async function aRoutine(ada: Customer): Promise<Json> {
  return (await ada.ask("POST", "/routines", { botId: ada.bot, ...hourly })).body;
}

test("clock set forward: a due firing waits for the next heartbeat instead of being skipped", async () => {
  const ada = await customer(office);
  const routine = await aRoutine(ada);
  await sql("update app.executors set last_seen_at = now() - interval '3 months'");
  await sql("update app.routines set next_firing_at = now() - interval '3 months' where id = $1", [routine.id]);
  const { rows } = await pool.query<Due>("select * from jobs.due_routines() where routine_id = $1", [routine.id]);
  const fireNow = () => fire(pool, rows[0] as Due, nextFiring(hourly.schedule, hourly.timeZone, new Date()));
  expect(await fireNow()).toBe("waiting");
  expect((await pool.query("select * from jobs.due_routines()")).rows).toEqual([]);
  await sql("update app.routines set awaits_executor_until = now() where id = $1", [routine.id]);
  await work(); // its executor sends a heartbeat
  await eventually(async () => (await ada.routine(routine)).lastRunId !== null);
  expect(await ada.routine(routine)).toMatchObject({ state: "active", lastSkippedAt: null, lastSkipReason: null });
});

test("clock set back by months: routines are planned again from the present, and due ones still fire", async () => {
  const ada = await customer(office);
  const [ahead, due] = [await aRoutine(ada), await aRoutine(ada)];
  await sql("update app.maintenance set last_run_at = now() + interval '5 months'");
  await sql("update app.routines set next_firing_at = date_trunc('hour', now()) + interval '5 months' where id = $1", [
    ahead.id,
  ]);
  await sql(
    `update app.routines
     set next_firing_at = now() - interval '1 second', awaits_executor_until = now() + interval '5 months'
     where id = $1`,
    [due.id],
  );
  await work();
  await eventually(async () => (await ada.routine(due)).lastRunId !== null);
  await eventually(async () => Date.parse((await ada.routine(ahead)).nextFiringAt) <= Date.now() + 3_600_000);
  expect(await ada.routine(ahead)).toMatchObject({ state: "active", lastRunId: null, lastSkippedAt: null });
});

test("clock set back by months: a lease and a heartbeat from the future expire normally", async () => {
  const ada = await customer(office);
  const { body: run } = await ada.ask("POST", "/runs", { botId: ada.bot, message: "Hello" });
  await sql(
    `update app.runs
     set state = 'running', lease_id = uuidv7(), lease_until = now() + interval '5 months' where id = $1`,
    [run.id],
  );
  await sql("update app.runs set working_since = now() + interval '5 months' where id = $1", [run.id]);
  await sql("update app.executors set last_seen_at = now() + interval '5 months'");
  await sql("update app.maintenance set last_run_at = now() + interval '5 months'");
  await pool.query("select jobs.run_maintenance()");
  const [locks] = await sql(
    `select lease_until <= now() + interval '30 seconds' as lease, working_since <= now() as work,
       (select bool_and(last_seen_at <= now()) from app.executors) as heard
     from app.runs where id = $1`,
    [run.id],
  );
  expect(locks).toEqual({ lease: true, work: true, heard: true });
});
