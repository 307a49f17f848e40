/** Definitions are rebuilt with every table to themselves: who has one is waited for, and nobody waits behind that. */
import { migrate } from "../../src/database/migrate.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

const waiting = () =>
  db.sql(
    `select from pg_locks
     where not granted and mode = 'AccessExclusiveLock'
       and database = (select oid from pg_database where datname = current_database())`,
  );

test("a table that somebody reads is waited for, and who comes meanwhile is answered first", async () => {
  const pool = db.poolAs("owner", 2);
  const reader = await pool.connect();
  await reader.query("begin");
  await reader.query("lock table app.bots in access share mode");
  let isOver = false;
  const migrating = migrate({ adminUrl: db.adminUrl, key: db.key, rebuild: true }).finally(() => {
    isOver = true;
  });
  for (let round = 0; round < 3; round += 1) {
    await eventually(async () => (await waiting()).length > 0);
    // It would wait for the reader's end if it waited for the lock that is waited for.
    await pool.query("select from app.bots limit 1");
    expect(isOver).toBe(false);
  }
  await reader.query("commit");
  reader.release();
  await migrating;
  expect(await db.sql("select * from audit.findings")).toEqual([]);
}, 60_000);
