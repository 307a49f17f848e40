/**
 * Steps, and what runs told, go by the week of their run: once they have been kept long enough and no run of the week goes
 * on. (docs/decisions.md, "Partitions".)
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
  // As in a database that has been in use for longer than steps are kept: there, what was before weeks has gone.
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

/** A run so old, with two steps; of a member of its own. */
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

/** How many steps there are of it, and how much it told: that it is in its state, and each step. */
async function left(id: string): Promise<[number, number]> {
  const [row] = await db.sql<{ steps: number; told: number }>(
    `select (select count(*)::integer from app.steps where run_id = $1) as steps,
       (select count(*)::integer from app.run_events where run_id = $1) as told`,
    [id],
  );
  return [row?.steps ?? 0, row?.told ?? 0];
}

test("a week goes when its youngest run is older than what is kept, ninety days unless set otherwise; no row is deleted", async () => {
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

test("less than a day can't be set", async () => {
  await expect(db.sql("update app.service_settings set step_retention = '23 hours'")).rejects.toMatchObject({
    constraint: "service_settings_step_retention_check",
  });
});

test("a week stays for as long as a run of it goes on, which tells on from the number it has come to", async () => {
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

test("what was before there were weeks goes with the last of it, and stays for a run of whatever age that goes on", async () => {
  await db.sql(`
    do $$
    declare
      monday constant timestamptz := date_trunc('week', now() - interval '120 days', 'UTC');
      week constant text := to_char(monday at time zone 'UTC', 'YYYYMMDD');
      family text;
    begin
      foreach family in array array['run_events', 'steps'] loop
        execute format('drop table partitions.%s_%s', family, week);
        execute format('create table partitions.%1$s_%2$s partition of app.%1$s for values from (minvalue) to (%3$L)',
          family, week, jobs.least_id(monday + interval '7 days'));
        execute format('alter table partitions.%s_%s enable row level security', family, week);
      end loop;
    end $$`);
  const open = await run("3 years", "queued");
  expect(
    await db.sql("select jobs.make_week(date_trunc('week', now() - interval '2 years', 'UTC')) is null as made"),
  ).toHaveLength(1);
  const before = await dropAll(db);
  expect(before.filter((name) => /^(steps|run_events)/.test(name))).toEqual(
    expect.not.arrayContaining([expect.stringContaining((await firstWeek()) ?? "none")]),
  );
  expect(await left(open)).toEqual([2, 3]);
  await db.sql("update app.runs set state = 'cancelled' where id = $1", [open]);
  expect(await dropAll(db)).toHaveLength(2);
  expect(await left(open)).toEqual([0, 0]);
});

async function firstWeek(): Promise<string | undefined> {
  const [row] = await db.sql<{ week: string }>(
    "select to_char(date_trunc('week', now() - interval '120 days', 'UTC') at time zone 'UTC', 'YYYYMMDD') as week",
  );
  return row?.week;
}
