/**
 * Retention of results of steps: seven days from the end of their run, by the week of the run. An open run keeps its own
 * results and no other's. (docs/database.md#retention)
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
  await db.sql(
    `select jobs.make_week(monday)
     from generate_series(date_trunc('week', now() - interval '60 days', 'UTC'), now(), interval '7 days') monday`,
  );
});

afterEach(() => db.drop());

/** A run of this age with a result, of a new member. */
async function run(age: string, endedAgo: string | null): Promise<string> {
  const person = await makeMember(db, organisation, "member");
  const [made] = await db.sql<{ id: string }>(
    `with conversation as (
       insert into app.conversations (organisation_id, bot_id, person_id) values ($1, $2, $3) returning id
     ), run as (
       insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at)
       select $1, uuidv7(-$4::interval), $2, id, $3, 'api',
         case when $5::interval is null then 'queued' else 'completed' end::app.run_state, now() - $5::interval
       from conversation
       returning *
     )
     insert into app.step_results (organisation_id, run_id, conversation_id, number, key)
     select organisation_id, id, conversation_id, 1, 'turn 1' from run
     returning run_id as id`,
    [organisation, bot, person, age, endedAgo],
  );
  return made?.id ?? "";
}

const left = async (...ids: string[]) => {
  const rows = await db.sql<{ id: string }>("select run_id as id from app.step_results");
  return ids.map((id) => rows.some((row) => row.id === id));
};

/** Inside one week that began between three and four weeks ago, so that all runs share it. */
const inOneWeek = () => {
  const sinceMonday = (new Date().getUTCDay() + 6) % 7;
  return `${sinceMonday + 21 + 3} days`; // a Friday
};

test("the worker drops a week of results without deleting rows, once its runs ended seven days ago", async () => {
  const [old, other] = [await run(inOneWeek(), "8 days"), await run(inOneWeek(), "20 days")];
  const late = await run("40 days", "6 days");
  const young = await run("1 hour", "0 days");
  await db.sql(`
    create function public.refuse() returns trigger language plpgsql as $$ begin raise 'a row is deleted'; end $$;
    create trigger none before delete on app.step_results for each row execute function public.refuse()`);
  await dropAll(db);
  expect(await left(old, other, late, young)).toEqual([false, false, true, true]);
  await db.sql("update app.runs set finished_at = now() - interval '7 days 1 minute' where id = $1", [late]);
  await dropAll(db);
  expect(await left(late, young)).toEqual([false, true]);
});

test("a week with an open run stays, and the worker deletes the results of the runs of that week that ended", async () => {
  const [open, ended, late] = [
    await run(inOneWeek(), null),
    await run(inOneWeek(), "8 days"),
    await run(inOneWeek(), "6 days"),
  ];
  await dropAll(db);
  expect(await left(open, ended, late)).toEqual([true, true, true]);
  const worker = await testWorker(db);
  try {
    await eventually(async () => (await left(ended)).join() === "false");
  } finally {
    await worker.stop();
  }
  expect(await left(open, late)).toEqual([true, true]);
});

test("a week with an open run that has no result stays, so that the run can add one", async () => {
  const open = await run(inOneWeek(), null);
  await db.sql("delete from app.step_results where run_id = $1", [open]);
  await dropAll(db);
  await db.sql(
    `insert into app.step_results (organisation_id, run_id, conversation_id, number, key)
     select organisation_id, id, conversation_id, 1, 'turn 1' from app.runs where id = $1`,
    [open],
  );
  expect(await left(open)).toEqual([true]);
});
