/**
 * Retention of steps and run events by the week of their run: a week is dropped when it is old enough and all its runs
 * have ended. (docs/decisions/0008-ids-partitions-and-indexes.md)
 */
import { makeMember, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { dropAll } from "../support/partitions.ts";
import { eventually, testWorker } from "../support/worker.ts";

let db: TestDatabase;
let organisation: string;
let bot: string;

beforeEach(async () => {
  db = await testDatabase();
  const made = await makeOrganisation(db);
  organisation = made.id;
  const [row] = await db.sql<{ id: string }>(
    "insert into app.bots (organisation_id, name, owner_id) values ($1, 'Ada', $2) returning id",
    [organisation, made.ownerId],
  );
  bot = row?.id ?? "";
  // As in a database older than the retention of steps: the partition of all rows before the first week was dropped.
  for (const { leaf } of await db.sql<{ leaf: string }>(
    `select inhrelid::regclass as leaf from pg_inherits where inhparent in ('app.run_events'::regclass, 'app.steps'::regclass)
     order by inhparent = 'app.steps'::regclass`,
  )) {
    await db.sql(`drop table ${leaf}`);
  }
  await db.sql(
    `select jobs.make_week(monday)
     from generate_series(date_trunc('week', now() - interval '120 days', 'UTC'), now(), interval '7 days') monday`,
  );
});

afterEach(() => db.drop());

/** A run of this age with two steps, of a new member. */
async function run(age: string, state: "completed" | "queued"): Promise<string> {
  const person = await makeMember(db, organisation, "member");
  const [made] = await db.sql<{ id: string }>(
    `with conversation as (
       insert into app.conversations (organisation_id, bot_id, person_id) values ($1, $2, $3) returning id
     )
     insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, steps, finished_at)
     select $1, uuidv7(-$4::interval), $2, id, $3, 'api', $5::app.run_state, 2, case when $5::app.run_state = 'completed' then now() end from conversation
     returning id`,
    [organisation, bot, person, age, state],
  );
  await db.sql(
    "insert into app.steps (organisation_id, run_id, number, kind) select $1, $2, number, 'think' from generate_series(1, 2) number",
    [organisation, made?.id],
  );
  return made?.id ?? "";
}

/** The number of steps of a run, and of its events: one for its state and one for each step. */
async function left(id: string): Promise<[number, number]> {
  const [row] = await db.sql<{ steps: number; events: number }>(
    `select (select count(*)::integer from app.steps where run_id = $1) as steps,
       (select count(*)::integer from app.run_events where run_id = $1) as events`,
    [id],
  );
  return [row?.steps ?? 0, row?.events ?? 0];
}

test("the worker drops a week whose youngest run is older than the retention of 90 days, without deleting rows", async () => {
  const [old, young] = [await run("97 days", "completed"), await run("89 days", "completed")];
  await db.sql(`
    create function public.refuse() returns trigger language plpgsql as $$ begin raise 'a row is deleted'; end $$;
    create trigger none before delete on app.steps for each row execute function public.refuse();
    create trigger none before delete on app.run_events for each row execute function public.refuse()`);
  const worker = await testWorker(db);
  try {
    await eventually(async () => (await left(old)).join() === "0,0");
  } finally {
    await worker.stop();
  }
  expect(await left(young)).toEqual([2, 3]);
  await db.sql("update app.service_settings set step_retention = '1 day'");
  await dropAll(db);
  expect(await left(young)).toEqual([0, 0]);
  expect(await db.sql("select from app.runs where id in ($1, $2)", [old, young])).toHaveLength(2);
});

test("step_retention cannot be less than a day", async () => {
  await expect(db.sql("update app.service_settings set step_retention = '23 hours'")).rejects.toMatchObject({
    constraint: "service_settings_step_retention_check",
  });
});

test("a week with an open run is kept, and the run's next event continues its numbers", async () => {
  const [open, ended] = [await run("100 days", "queued"), await run("100 days", "completed")];
  await dropAll(db);
  expect([await left(open), await left(ended)]).toEqual([
    [2, 3],
    [2, 3],
  ]);
  await db.sql("update app.runs set state = 'cancelled' where id = $1", [open]);
  expect(await db.sql("select number, state from app.run_events where run_id = $1 and number > 3", [open])).toEqual([
    { number: 4, state: "cancelled" },
  ]);
  const dropped = await dropAll(db);
  expect(dropped.map((name) => name.replace(/_\d+$/, ""))).toEqual(expect.arrayContaining(["run_events", "steps"]));
  expect([await left(open), await left(ended)]).toEqual([
    [0, 0],
    [0, 0],
  ]);
});
