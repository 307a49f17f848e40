/** Rebuilding definitions needs an exclusive lock on every table; waiting for it must not block other statements. */
import { migrate } from "../../src/database/migrate.ts";
import { findingsOnTestCluster } from "../support/audited.ts";
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

test("migrate waits for a reader of a table, names it, and does not block other statements", async () => {
  const pool = db.poolAs("owner", 2);
  const reader = await pool.connect();
  await reader.query("begin");
  await reader.query("lock table app.bots in access share mode");
  const [{ pid } = { pid: 0 }] = (await reader.query<{ pid: number }>("select pg_backend_pid() as pid")).rows;
  const holder = new RegExp(
    `The session ${pid} of the login "owner", from 127\\.0\\.0\\.1, holds a lock on app\\.bots since \\S+Z\\. ` +
      `Wait until it ends, or end it with: select pg_terminate_backend\\(${pid}\\)$`,
  );
  const options = { adminUrl: db.adminUrl, key: db.key, repair: true };
  await expect(migrate({ ...options, lockTimeoutMs: 100 })).rejects.toThrow(
    new RegExp(`^The tables were not free within 0\\.1 seconds\\. Nothing was changed\\. ${holder.source}`),
  );
  let isOver = false;
  const said: string[] = [];
  const migrating = migrate({ ...options, progress: (sentence) => void said.push(sentence) }).finally(() => {
    isOver = true;
  });
  for (let round = 0; round < 3; round += 1) {
    await eventually(async () => (await waiting()).length > 0);
    // This statement would wait for the reader too if migrate stayed in the lock queue.
    await pool.query("select from app.bots limit 1");
    expect(isOver).toBe(false);
  }
  await eventually(async () => said.some((sentence) => holder.test(sentence)));
  await reader.query("commit");
  reader.release();
  await migrating;
  expect(await db.sql(findingsOnTestCluster)).toEqual([]);
});

test("migrate names the session that holds the migration lock when its time-out expires", async () => {
  const holder = await db.poolAs("owner", 1).connect();
  const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
  await holder.query("set application_name = 'careless'");
  await holder.query("begin; lock table migration.lock in exclusive mode");
  const migrating = migrate({ adminUrl: db.adminUrl, key: db.key, lockTimeoutMs: 200 });
  await expect(migrating).rejects.toThrow(
    new RegExp(
      `^The migration lock was not free within 0\\.2 seconds\\. The session ${rows[0]?.pid} of the login "owner" ` +
        `\\(careless\\), from 127\\.0\\.0\\.1, holds it since [\\dT:.-]+Z\\. ` +
        `Wait until it ends, or end it with: select pg_terminate_backend\\(${rows[0]?.pid}\\)$`,
    ),
  );
  holder.release(true);
  await migrate({ adminUrl: db.adminUrl, key: db.key });
});

test("migrate names the session that holds the migration lock while it waits, and then migrates", async () => {
  const holder = await db.poolAs("owner", 1).connect();
  const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
  await holder.query("begin; lock table migration.lock in exclusive mode");
  const said: string[] = [];
  const progress = (sentence: string) => void said.push(sentence);
  const migrating = migrate({ adminUrl: db.adminUrl, key: db.key, progress });
  await eventually(async () => said.some((sentence) => sentence.includes(`The session ${rows[0]?.pid} of the login`)));
  holder.release(true);
  await migrating;
  expect(said.at(-1)).toBe("Applying migrations");
});

test("ten concurrent migrations of one database all succeed", async () => {
  const migrations = Array.from({ length: 10 }, () => migrate({ adminUrl: db.adminUrl, key: db.key }));
  await expect(Promise.all(migrations)).resolves.toHaveLength(10);
  expect(await db.sql(findingsOnTestCluster)).toEqual([]);
});

test.each(["arriving", "leaving", "departed"])(
  "migrate refuses to rebuild while the state of a move is %s, and changes nothing",
  async (state) => {
    const options = { adminUrl: db.adminUrl, key: db.key, repair: true };
    const builds = () => db.sql("select id from app.definition_builds");
    const before = await builds();
    const id = "01900000-0000-7000-8000-000000000001";
    await db.sql("insert into app.organisation_moves (organisation_id, state, cell) values ($1, $2, 'east')", [
      id,
      state,
    ]);
    await expect(migrate(options)).rejects.toThrow(`The organisation ${id} moves between cells. End its move first`);
    expect(await builds()).toEqual(before);
    await db.sql("delete from app.organisation_moves");
  },
);
