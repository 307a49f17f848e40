/** Logins that the database refuses, at the start of a process and later. Has its own cluster: roles belong to one. */
import { pino } from "pino";
import { startApi } from "../../src/api/server.ts";
import { readConfig } from "../../src/config.ts";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { makeKey, makeOrganisation, recordMaintenance, type TestDatabase, testDatabase } from "../support/database.ts";
import { command, killPrograms, runProgram, unhurried, untilWorks } from "../support/program.ts";
import { eventually, watchForWorker } from "../support/worker.ts";

let db: TestDatabase;
let key: string;
let api: Awaited<ReturnType<typeof startApi>>;
const logged: { error?: { code?: string; reason?: string } }[] = [];

beforeAll(async () => {
  await startCluster();
  db = await testDatabase();
  await recordMaintenance(db);
  const organisation = await makeOrganisation(db);
  key = (await makeKey(db, organisation.id, organisation.ownerId)).text;
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  api = await startApi(readConfig({ PORT: "0", DATA_DIR: db.dataDir, ...unhurried }), db.adminUrl, db.key, log);
});
afterAll(async () => {
  await killPrograms();
  await api.stop(0);
  await db.drop();
  await stopCluster();
});

const me = async () => (await fetch(`${api.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status;
const ready = async () => {
  const response = await fetch(`${api.url}/readyz`);
  return [response.status, ((await response.json()) as { database: string }).database];
};
/** Sessions outlast a change of their role, so that it takes effect only with the next. */
const endSessions = () =>
  db.sql("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'botstead api%'");

test.each([
  ["a wrong password", "alter role server password 'another'", /^The database refused the login "server": password/],
  [
    "an expired password",
    "alter role server valid until '2020-01-01'",
    /MASTER_KEY .* run: botstead migrate --repair$/,
  ],
  ["no right to log in", "alter role server nologin", /role "server" is not permitted to log in/],
  ["a missing role", "alter role server rename to gone", /^The database refused the login "server"/],
  ["no connection left", "alter role server connection limit 0", /alter role server connection limit -1$/],
])("an API whose role has %s answers 503, logs the reason, and recovers afterwards", async (_what, fault, reason) => {
  const [before] = await db.sql<{ password: string; until: string | null }>(
    "select rolpassword as password, rolvaliduntil::text as until from pg_authid where rolname = 'server'",
  );
  expect(await me()).toBe(200);
  logged.length = 0;
  await db.sql(fault);
  await endSessions();
  await eventually(async () => (await me()) === 503);
  expect(await ready()).toEqual([503, "login refused"]);
  expect(logged.map(({ error }) => error?.reason)).toContainEqual(expect.stringMatching(reason));
  expect(logged.filter(({ error }) => error?.code === undefined)).toEqual([]);
  if (fault.includes("rename")) await db.sql("alter role gone rename to server");
  await db.sql(`alter role server login valid until 'infinity' connection limit -1 password '${before?.password}'`);
  await eventually(async () => (await me()) === 200);
  expect(await ready()).toEqual([200, "ok"]);
});

test.each(["api", "worker", "console"])(
  "%s with a wrong master key does not start, and names the reason",
  async (part) => {
    const env = {
      DATABASE_URL: db.adminUrl,
      MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
      ...{ PORT: "0", CONSOLE_PORT: "0", LOG_LEVEL: "silent" },
    };
    const { code, stdout, stderr } = await command([part], { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^The database refused the login "(server|worker|operator)": .* Set MASTER_KEY to the key of the last "botstead migrate" on this database\. If the role was changed by hand, run: botstead migrate --repair\n$/,
    );
  },
);

test("a worker whose password changes logs the reason, and recovers once the password is right again", async () => {
  // A worker that loses its sessions while it starts ends.
  const hasStarted = await watchForWorker(db.sql);
  const worker = runProgram(["worker"], { env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey } });
  const lastRun = async () =>
    (await db.sql<{ at: string }>("select last_run_at::text as at from app.maintenance"))[0]?.at;
  const [before] = await db.sql<{ password: string }>(
    "select rolpassword as password from pg_authid where rolname = 'worker'",
  );
  await untilWorks(worker, hasStarted);
  await db.sql("alter role worker password 'another'");
  await db.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'worker'");
  await eventually(async () => /The database refused the login \\"worker\\"/.test(worker.stderr()));
  const stopped = await lastRun();
  await db.sql(`alter role worker password '${before?.password}'`);
  await untilWorks(worker, async () => (await lastRun()) !== stopped);
  await worker.kill("SIGTERM");
});

test("an API whose database is unreachable starts and waits for it", async () => {
  const url = new URL(db.adminUrl);
  url.port = "1";
  const waiting = runProgram(["api"], {
    env: { DATABASE_URL: url.href, MASTER_KEY: db.masterKey, PORT: "0" },
  });
  await eventually(async () => waiting.child.exitCode !== null || waiting.stderr() !== "", 2_000).catch(() => {});
  expect(waiting.child.exitCode).toBeNull();
});
