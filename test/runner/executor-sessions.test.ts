/**
 * The sessions of an executor's login cannot block the service. Uses its own cluster, because the test fills its lock
 * table.
 */
import { Client, type Connection } from "pg";
import pino from "pino";
import { makeExecutorLogin } from "../../src/database/executor-logins.ts";
import { urlAs } from "../../src/database/urls.ts";
import { startSessionGuard } from "../../src/worker/session-guard.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { startCluster, stopCluster } from "../support/cluster.ts";
import {
  makeKey,
  makeOrganisation,
  recordMaintenance,
  type TestDatabase,
  type TestKey,
  testDatabase,
} from "../support/database.ts";
import { command } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
let api: TestApi;
let key: TestKey;
let url: string;
const clients: Client[] = [];

beforeAll(async () => {
  await startCluster({ max_notify_queue_pages: "64" });
  db = await testDatabase();
  api = await testApi(db);
  await recordMaintenance(db);
  const organisation = await makeOrganisation(db);
  key = await makeKey(db, organisation.id, organisation.ownerId);
  const admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
  const { role, password } = await makeExecutorLogin(admin, "careless", 1, async () => {});
  await admin.end();
  url = Object.assign(new URL(db.adminUrl), { username: role, password }).href;
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => {})));
});

afterAll(async () => {
  await api.stop();
  await db.drop();
  await stopCluster();
});

async function session(connectionString = url): Promise<Client & { ended: Promise<unknown> }> {
  const client = new Client({ connectionString });
  client.on("error", () => {});
  const ended = new Promise((resolve) => client.once("end", resolve));
  await client.connect();
  clients.push(client);
  return Object.assign(client, { ended });
}

const harmful = "^(pg_(try_)?advisory_|lo_|loread$|lowrite$|pg_logical_emit_message$)";
const endSessions = async (longest: string, longestIdle = "1 hour") =>
  (await db.sql<{ ended: number }>("select jobs.end_overlong_sessions($1, $2) as ended", [longest, longestIdle]))[0]
    ?.ended;
const readiness = async () => (await fetch(`${api.url}/readyz`)).status;
const get = async () => (await api.call("GET", "/me", { key: key.text })).status;

test("no login can take an advisory lock, write a large object or write messages into the write-ahead log", async () => {
  const logins = ["server", "worker", "runner", "operator", "auditor", "executor_careless"];
  const rows = await db.sql<{ functions: number; open: string[] }>(
    `select count(distinct function.oid)::int as functions,
       coalesce(array_agg(login || ' ' || function.oid::regprocedure)
         filter (where has_function_privilege(login, function.oid, 'execute')), '{}') as open
     from pg_proc function, unnest($2::text[]) login
     where function.pronamespace = 'pg_catalog'::regnamespace and function.proname ~ $1`,
    [harmful, logins],
  );
  expect(rows).toEqual([{ functions: expect.any(Number), open: [] }]);
  expect(rows[0]?.functions).toBeGreaterThan(40);
  const client = await session();
  for (const statement of [
    "select pg_advisory_lock(i) from generate_series(1, 2000000) i",
    "select pg_try_advisory_xact_lock_shared(1, 2)",
    "select lo_create(0)",
    "select lo_from_bytea(0, 'x')",
    "select pg_logical_emit_message(false, 'x', repeat('x', 1000))",
  ]) {
    await expect(client.query(statement)).rejects.toMatchObject({ code: "42501" });
  }
});

test.each(["postgres", "template1"])("no login of Botstead can connect to the database %s", async (database) => {
  const elsewhere = (login: string) => Object.assign(new URL(login), { pathname: database }).href;
  for (const login of [
    url,
    ...(["server", "worker", "runner", "operator", "cli", "auditor"] as const).map((role) =>
      urlAs(role, db.adminUrl, db.key),
    ),
  ])
    await expect(session(elsewhere(login))).rejects.toMatchObject({ code: "42501" });
});

test("the login of an executor can raise neither temp_file_limit nor its own settings", async () => {
  const client = await session();
  expect((await client.query("show temp_file_limit")).rows).toEqual([{ temp_file_limit: "1GB" }]);
  for (const statement of [
    "set temp_file_limit = -1",
    "alter role executor_careless set temp_file_limit = -1",
    "alter role executor_careless connection limit -1",
  ])
    await expect(client.query(statement)).rejects.toMatchObject({ code: "42501" });
});

describe("when an executor may connect to another database of the cluster", () => {
  beforeAll(() => db.sql("grant connect on database postgres to executor_careless"));
  afterAll(() => db.sql("revoke connect on database postgres from executor_careless"));

  test("the worker ends its open transaction there", async () => {
    const client = await session(Object.assign(new URL(url), { pathname: "postgres" }).href);
    await client.query("set idle_in_transaction_session_timeout = 0; begin; select pg_current_xact_id()");
    await eventually(async () => (await endSessions("200 milliseconds")) === 1);
    await client.ended;
  });
});

test("a login of an executor can have 20 sessions and no more", async () => {
  const opened = await Promise.all(Array.from({ length: 20 }, () => session()));
  await expect(session()).rejects.toMatchObject({ code: "53300" });
  await opened[0]?.end();
  await eventually(() =>
    session().then(
      () => true,
      () => false,
    ),
  );
});

test("the worker ends a transaction that stays open without time-outs, and keeps a short one", async () => {
  const [idle, busy, short] = [await session(), await session(), await session()];
  for (const client of [idle, busy]) {
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
  }
  await idle.query("begin");
  // A statement that lasts until its session is ended.
  const statement = busy.query("select pg_sleep(60)").catch((error: { code: string }) => error.code);
  expect(await endSessions("1 minute")).toBe(0);
  await eventually(async () => {
    await endSessions("200 milliseconds");
    return (await db.sql("select from pg_stat_activity where usename = 'executor_careless'")).length === 1;
  });
  await Promise.all([idle.ended, busy.ended]);
  expect(await statement).toBe("57P01");
  expect((await short.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("the worker ends a transaction that waits for its client for 2 seconds, and keeps one that works", async () => {
  const [idle, busy, pipeline] = [await session(), await session(), await session()];
  await idle.query("set idle_in_transaction_session_timeout = 0; begin");
  const { connection } = pipeline as unknown as { connection: Connection };
  connection.parse({ text: "select pg_current_xact_id()", name: "", types: [] }, true);
  connection.bind({}, true);
  connection.execute({}, true);
  connection.flush(); // and no Sync: the transaction stays open, and the session counts as active
  await busy.query("set statement_timeout = 0; begin");
  const { pid } = (await busy.query("select pg_backend_pid() as pid")).rows[0];
  // A statement that lasts until it is cancelled.
  const statement = busy.query("select pg_sleep(60)").catch((error: { code: string }) => error.code);
  let ended = 0;
  await eventually(async () => {
    ended += (await endSessions("1 hour", "2 seconds")) ?? 0;
    return ended >= 2;
  });
  await Promise.all([idle.ended, pipeline.ended]);
  await db.sql("select pg_cancel_backend($1)", [pid]);
  expect(await statement).toBe("57014");
});

test("the worker does not end sessions of the built-in executor or of other logins", async () => {
  const ours = (["runner", "server", "worker", "operator", "auditor", "owner"] as const).map((role) =>
    db.poolAs(role, 1),
  );
  const clients = await Promise.all(ours.map((pool) => pool.connect()));
  for (const client of clients) await client.query("begin");
  expect(await endSessions("0")).toBe(0);
  for (const client of clients) {
    expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    client.release(true);
  }
});

test("the worker ends a session that blocks the NOTIFY queue before the queue is full", async () => {
  const [blocker, sender] = [await session(), await session()];
  await blocker.query("listen nothing");
  await blocker.query("begin");
  const usage = async () =>
    (await db.sql<{ used: number }>("select pg_notification_queue_usage() as used"))[0]?.used ?? 0;
  while ((await usage()) <= 0.1) await sender.query("select pg_notify('other', repeat('x', 7900) || random())");
  expect(await endSessions("1 hour")).toBe(1);
  await blocker.ended;
  await eventually(async () => {
    await sender.query("notify other");
    return (await usage()) < 0.05;
  });
});

test("an administrator who is no superuser can mint a login and revoke a connected one", async () => {
  await db.sql("create role maker login createrole password 'made here'");
  await db.sql("grant executor to maker with admin true, inherit false, set false");
  await db.sql(`grant connect on database ${new URL(db.adminUrl).pathname.slice(1)} to maker with grant option`);
  const maker = Object.assign(new URL(db.adminUrl), { username: "maker", password: "made here" });
  const settings = { env: { DATABASE_URL: maker.href, MASTER_KEY: db.masterKey } };
  const minted = await command(["executor", "mint", "--name", "made"], settings);
  expect(minted).toMatchObject({ code: 0, stderr: "" });
  const client = await session(minted.stdout.trim());
  expect(await command(["executor", "revoke", "made"], settings)).toMatchObject({ code: 0, stderr: "" });
  await client.ended;
  expect(await db.sql("select from pg_roles where rolname = 'executor_made'")).toEqual([]);
});

describe("when advisory locks could not be revoked", () => {
  beforeAll(() => db.sql("grant execute on function pg_advisory_lock(bigint) to public"));
  afterAll(() => db.sql("revoke execute on function pg_advisory_lock(bigint) from public"));

  test("the worker ends a session that holds many", async () => {
    const guard = startSessionGuard(pino({ level: "silent" }));
    guard.use(await session(urlAs("worker", db.adminUrl, db.key)));
    const client = await session();
    await client.query("select pg_advisory_lock(i) from generate_series(1, 1500) i");
    await client.ended;
    await guard.stop();
  });

  test("the worker ends a session that fills the lock table, and executor revoke waits for that", async () => {
    const worker = await session(urlAs("worker", db.adminUrl, db.key));
    const before = startSessionGuard(pino({ level: "silent" }));
    before.use(worker);
    const admin = await session(db.adminUrl);
    const { role, password } = await makeExecutorLogin(admin, "filling", 1, async () => {});
    const minted = new Date();
    const checked =
      "select from pg_stat_activity where query ~ 'cache_executors' and state = 'idle' and query_start > $1";
    await eventually(async () => (await db.sql(checked, [minted])).length > 0);
    await before.stop(); // so that it does not end the session before the table is full
    const filling = await session(Object.assign(new URL(db.adminUrl), { username: role, password }).href);
    await filling.query("set statement_timeout = 0");
    for (let step = 1000; step > 0; step = Math.floor(step / 10)) {
      for (let isFull = false; !isFull; ) {
        isFull = await filling
          .query(`select pg_advisory_lock((random() * 1e12)::bigint) from generate_series(1, ${step})`)
          .then(
            () => false,
            () => true,
          );
      }
    }
    await expect(session()).rejects.toMatchObject({ code: "53200" });
    const guard = startSessionGuard(pino({ level: "silent" }));
    guard.use(worker);
    const settings = { env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey } };
    expect(await command(["executor", "revoke", "filling"], settings)).toMatchObject({ code: 0, stderr: "" });
    await filling.ended;
    await guard.stop();
  });

  test("/readyz and calls return 503 while the lock table is full, and succeed afterwards", async () => {
    expect([await get(), await readiness()]).toEqual([200, 200]);
    const client = await session();
    await client.query("set statement_timeout = 0");
    await expect(client.query("select pg_advisory_lock(i) from generate_series(1, 2000000) i")).rejects.toMatchObject({
      code: "53200",
    });
    const post = await api.call("POST", "/bots", { key: key.text, body: { name: "Ada", model: "recall" } });
    expect([post.status, await readiness()]).toEqual([503, 503]);
    await client.end();
    await eventually(async () => (await readiness()) === 200);
    expect(await get()).toBe(200);
  });
});
