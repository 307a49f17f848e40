/**
 * Roles belong to the cluster: migrating in a fresh cluster, in a shared one, and with another master key. Each test
 * has its own. Repairs are not compared with a second database, since roles are in none.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { openSession } from "../../src/database/connections/session.ts";
import { inspectDatabase } from "../../src/database/inspect-database.ts";
import { createRoles, migrate } from "../../src/database/migrate.ts";
import { loginRoles } from "../../src/database/roles.ts";
import { urlAs } from "../../src/database/urls.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { clusterVariable, startCluster, stopCluster } from "../support/cluster.ts";
import { cleanUp, newDataFolder, start } from "../support/embedded.ts";
import { emptyDatabase, migratedDatabase, type Server, sharedServer, stateOf } from "../support/migrated.ts";
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";

const ofAllTests = process.env[clusterVariable];

afterEach(async () => {
  await cleanUp();
  if (process.env[clusterVariable] !== ofAllTests) await stopCluster();
  process.env[clusterVariable] = ofAllTests;
});

/** With our roles. @param settings of the server */
async function migratedCluster(settings?: Record<string, string>): Promise<Server> {
  await startCluster(settings);
  return sharedServer();
}

/** Without our roles. */
async function freshCluster(): Promise<Server> {
  const dataDir = newDataFolder();
  mkdirSync(dataDir, { recursive: true });
  const { url } = await start(dataDir);
  return { url, dataDir, key: loadMasterKey({ dataDir, masterKey: randomBytes(32).toString("base64") }) };
}

const run = (server: Server, adminUrl: string, key = server.key) => migrate({ adminUrl, key });

const rolesOf = (server: Server) =>
  query<{ name: string; mark: string | null; login: boolean }>(
    server.url,
    `select rolname as name, shobj_description(oid, 'pg_authid') as mark, rolcanlogin as login
     from pg_roles where rolname !~ '^pg_' and rolname <> 'postgres' order by rolname`,
  );

test("migrate refuses a role of one of our names that is not ours, and creates nothing", async () => {
  const server = await freshCluster();
  await query(server.url, "create role runner; comment on role runner is 'Marathon'");
  const url = await emptyDatabase(server);
  await expect(run(server, url)).rejects.toThrow(
    /^A role named "runner" exists in this cluster and does not belong to Botstead: [^.]+\.$/,
  );
  expect(await rolesOf(server)).toEqual([{ name: "runner", mark: "Marathon", login: false }]);
  await query(server.url, "alter role runner rename to marathon");
  await migrate({ adminUrl: url, key: server.key, isNew: true });
  expect((await rolesOf(server)).map(({ name }) => name)).toEqual(
    ["authenticator", "executor", "marathon", "searcher", "tenant", ...loginRoles].sort((a, b) => a.localeCompare(b)),
  );
});

test("migrate resets changed settings of roles, also of executors, and keeps their passwords", async () => {
  const server = await migratedCluster();
  const url = await migratedDatabase(server);
  await query(server.url, "create role executor_gpu login in role runner");
  await query(server.url, "comment on role executor_gpu is 'Botstead executor'");
  const stored = () =>
    query(
      server.url,
      `select role.rolname as name, role.rolpassword as password, to_jsonb(role) - '{oid,rolpassword,rolvaliduntil}'::text[] as attributes,
         nullif(role.rolvaliduntil, 'infinity') as expires,
         (select array_agg(each order by each) from unnest(setting.setconfig) each) as settings
       from pg_authid role
       left join pg_db_role_setting setting on setting.setrole = role.oid and setting.setdatabase = 0
       where role.rolname !~ '^pg_' order by role.rolname`,
    );
  await run(server, url);
  const made = await stored();
  expect(made).toContainEqual(
    expect.objectContaining({ name: "executor_gpu", password: null, settings: expect.arrayContaining(["jit=off"]) }),
  );
  for (const change of [
    "server set statement_timeout = 0",
    "server set row_security = off",
    "worker reset jit",
    "tenant set work_mem = '1GB'",
    "tenant login",
    "server nologin connection limit 0 valid until '2020-01-01'",
    "auditor superuser createdb createrole replication bypassrls noinherit",
    "executor_gpu reset all",
  ]) {
    await query(server.url, `alter role ${change}`);
    expect(await stored()).not.toEqual(made);
    await run(server, url);
    expect([change, await stored()]).toEqual([change, made]);
  }
});

test("a role changed by hand is refused, then recorded and reset", async () => {
  const server = await migratedCluster();
  const url = await migratedDatabase(server);
  const options = { adminUrl: url, key: server.key };
  for (const change of ["set statement_timeout = '0'", "connection limit 0", "superuser noinherit"])
    await query(url, `alter role server ${change}`);
  const changes = [
    "rolconnlimit is 0, expected -1; rolinherit is false, expected true; rolsuper is true, expected false",
    "statement_timeout is 0, expected 3000",
  ];
  const found = changes.map((change) => `  role server: ${change}\n`).join("");
  await expect(migrate({ ...options, examine: true })).rejects.toThrow(found);
  await migrate({ ...options, repair: true, isNew: true });
  const [build] = await query<{ differences: object[] }>(url, "select differences from audit.builds limit 1");
  expect(build?.differences).toEqual(
    changes.map((change) =>
      expect.objectContaining({ object: "role server", change: expect.stringContaining(change) }),
    ),
  );
  await migrate({ ...options, examine: true });
});

test("migrate refuses a login that the database refuses, --check notices it, and --repair lets the role log in", async () => {
  const server = await migratedCluster();
  const url = await migratedDatabase(server);
  const options = { adminUrl: url, key: server.key };
  for (const [change, said] of [
    ["connection limit 0", 'too many connections for role "owner"'],
    ["connection limit -1 valid until '2020-01-01'", 'password authentication failed for user "owner"'],
    ["valid until 'infinity' nologin", 'role "owner" is not permitted to log in'],
  ]) {
    await query(url, `alter role owner ${change}`);
    await expect(migrate({ ...options, examine: true })).rejects.toThrow(
      `\n  role owner: the database refuses its login: ${said}\n`,
    );
    await expect(inspectDatabase(url, server.key)).rejects.toThrow(said);
  }
  await query(url, "alter role worker nologin; alter role cli password null");
  await expect(migrate({ ...options, examine: true })).rejects.toThrow(
    /\n {2}role owner: the database refuses .*\n {2}role worker: the database refuses .*\n {2}role cli: the database refuses .*\n/,
  );
  await query(url, "alter role owner login");
  const { differences = [] } = (await inspectDatabase(url, server.key)) ?? {};
  expect(differences.map(({ object, change }) => `${object}: ${change}`)).toEqual([
    "role worker: rolcanlogin is false, expected true",
    'role cli: the database refuses its login: password authentication failed for user "cli"',
  ]);
  await query(url, "alter role owner nologin");
  await migrate({ ...options, repair: true, isNew: true });
  for (const role of loginRoles) await query(urlAs(role, url, server.key), "select");
  await migrate({ ...options, examine: true });
  const [build] = await query<{ differences: { object: string }[] }>(
    url,
    "select differences from audit.builds limit 1",
  );
  expect(build?.differences.map(({ object }) => object)).toEqual(["role worker", "role cli", "role owner"]);
});

test("a removed membership is refused; a start restores it, and says so", async () => {
  const server = await migratedCluster();
  const url = await migratedDatabase(server);
  const options = { adminUrl: url, key: server.key };
  const revoke = () =>
    query(url, "revoke operator from cli; alter role server connection limit 7; alter role worker set jit = 'on'");
  await revoke();
  await expect(migrate({ ...options, examine: true })).rejects.toThrow(/^ {2}role cli: is no member of operator$/m);
  const said: string[] = [];
  await migrate({ ...options, progress: (sentence) => void said.push(sentence) });
  expect(said).toEqual([
    "Role server: set connection limit -1",
    "Role worker: set its settings",
    "Role cli: granted operator",
    "Applying migrations",
  ]);
});

test("migrate lists what the audit finds about roles, settings and the database, and changes none of it", async () => {
  const server = await migratedCluster({ fsync: "on", synchronous_commit: "on" }); // otherwise findings
  const url = await migratedDatabase(server);
  const name = new URL(url).pathname.slice(1);
  expect((await inspectDatabase(url, server.key))?.unrestored).toEqual([]);
  await query(
    url,
    `create role stranger login superuser; create role reader; grant auditor to reader; grant server to worker;
     alter role all set row_security = off; alter role server in database ${name} set jit = on;
     alter database ${name} set session_replication_role = replica; grant connect on database ${name} to reader;
     alter database ${name} connection limit 90`,
  );
  await query(url, "alter system set zero_damaged_pages = on");
  await query(url, "select pg_reload_conf()");
  await eventually(
    async () =>
      (await query<{ zero_damaged_pages: string }>(url, "show zero_damaged_pages"))[0]?.zero_damaged_pages === "on",
  );
  await migrate({ adminUrl: url, key: server.key, examine: true });
  const found = (await inspectDatabase(url, server.key))?.unrestored ?? [];
  expect(found.map(({ object, change }) => `${object}: ${change}`)).toEqual([
    `database ${name}: It accepts 90 connections`,
    `database ${name}: connect to reader`,
    `database ${name}: session_replication_role is replica in this database, expected not set`,
    "role all: row_security is off, expected not set",
    "role owner: server (inherit set) through worker; it logs in",
    "role reader: auditor (inherit set)",
    "role server: jit is on in this database, expected not set",
    "role stranger: login, superuser",
    "role worker: server (inherit set); it logs in",
    "setting zero_damaged_pages: It is on, and not off",
  ]);
});

test("two databases of a fresh cluster can be migrated concurrently, and one of them twice", async () => {
  const server = await freshCluster();
  const [one, other] = [await emptyDatabase(server), await emptyDatabase(server)];
  await Promise.all([one, other, other].map((adminUrl) => migrate({ adminUrl, key: server.key, isNew: true })));
  const state = await stateOf(one);
  expect(state.length).toBeGreaterThan(1000);
  expect(await stateOf(other)).toEqual(state);
});

const storedPasswords = (server: Server) =>
  query(server.url, "select rolname, rolpassword from pg_authid where rolpassword is not null order by 1");

test("migrate with another master key is refused and changes nothing, unless the former one is lost", async () => {
  const server = await migratedCluster();
  const url = await migratedDatabase(server);
  const enter = (role: (typeof loginRoles)[number], key = server.key) =>
    query(urlAs(role, url, key), "select current_user::text as name");
  const key = loadMasterKey({ dataDir: "", masterKey: Buffer.alloc(32, 7).toString("base64") });
  const before = await storedPasswords(server);
  const otherKey = "The logins of this cluster have passwords of another master key. Nothing was changed.";
  await expect(run(server, url, key)).rejects.toThrow(otherKey);
  await expect(migrate({ adminUrl: url, key, repair: true, isNew: true })).rejects.toThrow(otherKey);
  await expect(createRoles(url, key)).rejects.toThrow(otherKey);
  await expect(inspectDatabase(url, key)).rejects.toMatchObject({ code: "28P01" });
  expect(await storedPasswords(server)).toEqual(before);
  for (const role of loginRoles) expect(await enter(role)).toEqual([{ name: role }]);

  // A running process has the former key in memory, and would seal new secrets with it.
  const api = await openSession(urlAs("server", url, server.key), "botstead api");
  await expect(migrate({ adminUrl: url, key, keyIsLost: true })).rejects.toThrow(
    /Stop the API.*connected: botstead api/,
  );
  expect(await storedPasswords(server)).toEqual(before);
  await api.end();
  await eventually(
    async () => (await query(url, "select from pg_stat_activity where usename = 'server'")).length === 0,
  );
  await migrate({ adminUrl: url, key, keyIsLost: true });
  for (const role of loginRoles) {
    expect(await enter(role, key)).toEqual([{ name: role }]);
    await expect(enter(role)).rejects.toMatchObject({ code: "28P01" });
  }
});

test("migrate --repair sets a password that was changed by hand, and no other", async () => {
  const server = await migratedCluster();
  const url = await migratedDatabase(server);
  const before = await storedPasswords(server);
  await query(server.url, "alter role worker password 'another'");
  await migrate({ adminUrl: url, key: server.key, repair: true, isNew: true });
  expect(await query(urlAs("worker", url, server.key), "select current_user::text as name")).toEqual([
    { name: "worker" },
  ]);
  const others = (rows: Record<string, unknown>[]) => rows.filter(({ rolname }) => rolname !== "worker");
  expect(others(await storedPasswords(server))).toEqual(others(before));
});
