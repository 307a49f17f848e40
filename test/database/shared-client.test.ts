/** One connection shared by concurrent callers, and its loss. */
import { Pool } from "pg";
import { sharedClient } from "../../src/database/connections/worker-pool.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

beforeEach(() => {
  pool = db.adminPool({ max: 1, pipeline: true, connectionTimeoutMillis: 1_000 });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
});
afterEach(() => pool.end());

const session = "select pg_backend_pid() as pid, txid_current()::text as transaction";

test("concurrent callers share a connection, each in its own transaction, and release it", async () => {
  const withClient = sharedClient(pool);
  const pending = [1, 2, 3].map(() => withClient(async (db) => (await db.query(session)).rows[0]));
  const answers = await Promise.all(pending);
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(3);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
});

test("a failed statement does not affect the other callers", async () => {
  const withClient = sharedClient(pool);
  const results = await Promise.allSettled(
    ["select 1", "select 1 / 0", "select 1"].map((text) => withClient((db) => db.query(text))),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("when the connection is lost all its callers get an error, and the next caller gets a new one", async () => {
  const withClient = sharedClient(pool);
  const pid = await withClient(async (db) => (await db.query(session)).rows[0].pid);
  // Statements that last until their connection is lost.
  const pending = Promise.allSettled([1, 2].map(() => withClient((db) => db.query("select pg_sleep(30)"))));
  await eventually(async () => {
    const [found] = await db.sql<{ ended: boolean }>(
      "select pg_terminate_backend(pid) as ended from pg_stat_activity where pid = $1 and query like '%sleep%'",
      [pid],
    );
    return found?.ended ?? false;
  });
  expect((await pending).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await withClient(async (db) => (await db.query(session)).rows[0].pid)).not.toBe(pid);
});

test("when connecting fails all callers get an error, and the next caller tries again", async () => {
  const nowhere = new Pool({ host: "127.0.0.1", port: 1, max: 1 });
  const withClient = sharedClient(nowhere);
  const query = () => withClient((db) => db.query("select 1"));
  const results = await Promise.allSettled([query(), query()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(query()).rejects.toThrow("ECONNREFUSED");
  await nowhere.end();
});
