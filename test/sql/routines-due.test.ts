/** The search for due routines, which every worker runs every second, reads due routines only. */
import { makeOrganisation, setLimits, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test("of 30,000 routines, only the 3 due ones are read", async () => {
  const { id, ownerId } = await makeOrganisation(db);
  await setLimits(db, id, { liveRoutines: 100000 });
  await db.sql("insert into app.bots (organisation_id, name, owner_id) values ($1, 'Guide', $2)", [id, ownerId]);
  await db.sql(
    `begin;
     set local session_replication_role = replica;
     insert into app.routines
       (organisation_id, bot_id, name, schedule, time_zone, message, created_by, state, next_firing_at, deleted_at)
     select '${id}', bot.id, 'Daily', '0 9 * * *', 'UTC', 'Hello', '${ownerId}',
       case when number % 10 = 1 then 'paused' else 'active' end::app.automation_state,
       case number % 10 when 1 then null when 2 then '-infinity' else now() + interval '1 day' + number * interval '1 second' end,
       case when number % 10 = 2 then now() end
     from app.bots bot, generate_series(1, 30000) number;
     commit`,
  );
  await db.sql(
    `update app.routines set next_firing_at = now() - interval '1 minute'
     where id in (select id from app.routines where state = 'active' and deleted_at is null order by id limit 3)`,
  );
  await db.sql("vacuum analyze app.routines");

  const pool = db.poolAs("worker", 1);
  const read = async () => {
    await db.sql("select pg_stat_clear_snapshot()");
    const [table] = await db.sql<{ whole: number; fetched: number }>(
      "select seq_scan::int as whole, idx_tup_fetch::int as fetched from pg_stat_user_tables where relid = 'app.routines'::regclass",
    );
    return table ?? { whole: 0, fetched: 0 };
  };
  await db.sql("select pg_stat_force_next_flush()");
  const before = await read();
  expect((await pool.query("select * from jobs.due_routines()")).rows).toHaveLength(3);
  await pool.query("select pg_stat_force_next_flush()");
  const after = await read();
  expect(after.whole - before.whole).toBe(0);
  expect(after.fetched - before.fetched).toBe(3);
});
