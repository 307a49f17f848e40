/** One connection for all who ask at the same time: who shares it, and what becomes of them when it is lost. */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import { sharedClient } from "../../src/database/shared-client.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

beforeEach(() => {
  pool = new Pool({ connectionString: db.adminUrl, max: 1, pipeline: true, connectionTimeoutMillis: 1_000 });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
});
afterEach(() => pool.end());

const session = "select pg_backend_pid() as pid, txid_current()::text as transaction";

test("all who ask at once share it, each in a transaction of its own, and it is given back", async () => {
  const withClient = sharedClient(pool);
  const asked = [1, 2, 3].map(() => withClient(async (db) => (await db.query(session)).rows[0]));
  const answers = await Promise.all(asked);
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(3);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
});

test("what fails for one is answered to the others", async () => {
  const withClient = sharedClient(pool);
  const told = await Promise.allSettled(
    ["select 1", "select 1 / 0", "select 1"].map((text) => withClient((db) => db.query(text))),
  );
  expect(told.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("where it is lost all who share it are told, and who asks then has another", async () => {
  const withClient = sharedClient(pool);
  const pid = await withClient(async (db) => (await db.query(session)).rows[0].pid);
  const asked = Promise.allSettled([1, 2].map(() => withClient((db) => db.query("select pg_sleep(30)"))));
  for (let ended = false; !ended; await sleep(10)) {
    const [found] = await db.sql<{ ended: boolean }>(
      "select pg_terminate_backend(pid) as ended from pg_stat_activity where pid = $1 and query like '%pg_sleep%'",
      [pid],
    );
    ended = found?.ended ?? false;
  }
  expect((await asked).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await withClient(async (db) => (await db.query(session)).rows[0].pid)).not.toBe(pid);
});

test("where there is none to be had, everybody who asked is told, and who asks then asks anew", async () => {
  const nowhere = new Pool({ host: "127.0.0.1", port: 1, max: 1 });
  const withClient = sharedClient(nowhere);
  const ask = () => withClient((db) => db.query("select 1"));
  const told = await Promise.allSettled([ask(), ask()]);
  expect(told.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(ask()).rejects.toThrow("ECONNREFUSED");
  await nowhere.end();
});
