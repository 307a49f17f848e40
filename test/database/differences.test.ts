/**
 * Changes by hand and other versions: `migrate` refuses before it changes anything, `--repair` records what it finds, and
 * what a repair cannot restore stays a finding.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../src/database/embedded/port.ts";
import { migrate } from "../../src/database/migrate.ts";
import { dropDatabase, migratedDatabase, sharedServer, stateOf } from "../support/migrated.ts";
import { makeNextVersion, type Version } from "../support/next-version.ts";
import { command, commandOn, killPrograms, type Program, runApi } from "../support/program.ts";
import { query } from "../support/query.ts";

const server = sharedServer();
const masterKey = readFileSync(join(server.dataDir, "master.key"), "utf8").trim();
let url: string;

beforeEach(async () => {
  url = await migratedDatabase(server);
});

afterEach(() => dropDatabase(server, url));

const botstead = (args: string[], version?: Version, adminUrl = url) =>
  commandOn({ adminUrl, masterKey, dataDir: server.dataDir }, args, version?.script);

const findings = async () =>
  (await query<{ object: string }>(url, "select object from audit.differences order by object")).map(
    ({ object }) => object,
  );

const byHand = `
  alter table app.bots drop constraint bots_name_check;
  alter table app.bots add column shadow text;
  create or replace function caller.scope() returns app.key_scope language sql as $$ select 'admin'::app.key_scope $$;
  drop policy select_own on app.conversations;`;

const ofTables = ["column app.bots.shadow", "constraint bots_name_check on app.bots"];

test("migrate and start refuse a database that was changed by hand, and leave it as it is", async () => {
  await query(url, byHand);
  const before = await stateOf(url);
  for (const args of [["migrate"], ["migrate", "--check"]]) {
    const { code, stderr } = await botstead(args);
    expect([args, code]).toEqual([args, 1]);
    for (const line of [
      "column app.bots.shadow: added",
      "atttypid text",
      "constraint bots_name_check on app.bots: removed",
      "definition CHECK (",
      "function caller.scope(): changed",
      "policy select_own on app.conversations: removed",
    ]) {
      expect(stderr).toContain(line);
    }
  }
  expect(await stateOf(url)).toEqual(before);
});

test("migrate --repair rebuilds functions and policies, records what it found, and leaves tables as findings", async () => {
  await query(url, byHand);
  const { code, stderr } = await botstead(["migrate", "--repair"]);
  expect(code).toBe(0);
  expect(stderr).toContain("These differences remain.");
  expect(await findings()).toEqual(ofTables);
  const [build] = await query<{
    differences: { object: string; change: string; built: { definition: string } }[];
    built_by: string;
  }>(url, "select differences, built_by from audit.builds limit 1");
  expect(build?.differences.map(({ object }) => object)).toEqual(
    expect.arrayContaining([...ofTables, "function caller.scope()", "policy select_own on app.conversations"]),
  );
  expect(build?.built_by).toMatch(/^postgres from /);

  const [exported] = await query(url, "select api_private.export_queries() ->> 'bots' as bots");
  expect(exported?.bots).not.toContain("shadow"); // callers may not read it

  await query(url, "alter table app.bots drop column shadow");
  const [removed] = build?.differences.filter(({ object }) => object === ofTables[1]) ?? [];
  await query(url, `alter table app.bots add constraint bots_name_check ${removed?.built.definition}`);
  expect(await botstead(["migrate", "--check"])).toMatchObject({ code: 0 });
});

test("migrate refuses a changed access list and record of the version; --repair prints what was granted, and restores both", async () => {
  const recorded = () => query(url, "select obj_description('migration'::regnamespace, 'pg_namespace') as version");
  const before = await recorded();
  await query(url, "grant select on app.bots to server");
  await query(url, "comment on schema migration is 'Built by version 9.9.9, last migration another.sql sha1:0.'");
  const found = [
    expect.stringMatching(/^ {2}table app\.bots: changed\n {4}present: relacl SELECT to server$/m),
    expect.stringContaining("description of schema migration: changed"),
  ];
  const { code, stderr } = await botstead(["migrate"]);
  expect([code, stderr, stderr]).toEqual([1, ...found]);
  const repaired = await botstead(["migrate", "--repair"]);
  expect([repaired.code, repaired.stderr, repaired.stderr]).toEqual([0, ...found]);
  expect(repaired.stderr).toMatch(
    /^This database differs from what version \S+ built:\n[\s\S]*\nApplying definitions\nMigrations applied\./,
  );
  expect(await recorded()).toEqual(before);
  expect(await botstead(["migrate", "--check"])).toMatchObject({ code: 0 });
});

test.each([
  ["alter table app.bots owner to postgres", "permission denied for table bots"],
  ["create view app.stray as select 1", "permission denied for view stray"],
  ["alter schema app owner to postgres", "permission denied for schema app"],
])("a repair after %s changes nothing, and says what to do", async (statement, said) => {
  await query(url, statement);
  const before = await stateOf(url);
  await expect(migrate({ adminUrl: url, key: server.key, repair: true, isNew: true })).rejects.toThrow(
    `The role owner lacks a right: ${said}. Another role owns`,
  );
  expect(await stateOf(url)).toEqual(before);
});

test("an upgrade does not accept a changed table: the reference is a new database", async () => {
  await query(url, byHand);
  const next = makeNextVersion("alter table app.bots add column motto text;");
  try {
    expect(await botstead(["migrate"], next)).toMatchObject({ code: 1 });
    expect(await botstead(["migrate", "--repair"], next)).toMatchObject({ code: 0 });
    expect(await findings()).toEqual(ofTables);
    expect(await query(url, "select from pg_database where datname = current_database() || '_reference'")).toEqual([]);
  } finally {
    next.remove();
  }
});

describe("a database that a newer version migrated", () => {
  let newer: string;
  let next: Version;
  /** Runs while the newer version migrates. */
  let api: Program;
  let port: string;

  beforeAll(async () => {
    newer = await migratedDatabase(server);
    next = makeNextVersion("alter table app.bots add column motto text;");
    port = String(await freePort());
    api = await runApi({ DATABASE_URL: newer, MASTER_KEY: masterKey, PORT: port });
    expect(await botstead(["migrate"], next, newer)).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await killPrograms();
    next.remove();
    await dropDatabase(server, newer);
  });

  test("is refused by an older version, which does not have its migration", async () => {
    const before = await stateOf(newer);
    for (const [args, expected] of [
      [["migrate"], 1],
      [["migrate", "--repair"], 1],
      [["migrate", "--check"], 3], // it could not check
      [["start"], 1],
    ] as const) {
      const { code, stderr } = await botstead([...args], undefined, newer);
      expect([args, code]).toEqual([args, expected]);
      expect(stderr).toMatch(/does not have its migration 000\d+\.sql\. Nothing was changed\./);
    }
    expect(await stateOf(newer)).toEqual(before);
  });

  test("keeps the API of the older version working, and its changes have entries", async () => {
    const before = await stateOf(newer);
    const { stdout } = await botstead(["platform-key", "mint", "--name", "New"], next, newer);
    const at = `http://127.0.0.1:${port}`;
    const headers = { authorization: `Bearer ${stdout.trim()}`, "content-type": "application/json" };
    const created = await fetch(`${at}/api/v1/platform/organisations`, {
      ...{ method: "POST", headers: { ...headers, "idempotency-key": "one" } },
      body: JSON.stringify({ name: "Ours", owner: { email: "ada@example.test", displayName: "Ada" } }),
    });
    expect([created.status, await created.text()]).toEqual([201, expect.any(String)]);
    const entries =
      "select distinct resource from app.audit_log where organisation_id in (select id from app.organisations)";
    const recorded = await query<{ resource: string }>(newer, entries);
    expect(recorded.map(({ resource }) => resource)).toContain("organisation");
    expect(await (await fetch(`${at}/readyz`)).json()).toMatchObject({ migrations: "another version" });
    expect(await stateOf(newer)).toEqual(before);
    await api.kill("SIGTERM");
    expect(await query(newer, "select * from audit.verify_chain()")).toEqual([]);
  });

  test.each(["api", "worker", "console"])("is refused by the %s of an older version", async (part) => {
    const port = String(await freePort());
    const env = { DATABASE_URL: newer, MASTER_KEY: masterKey, PORT: port, CONSOLE_PORT: port };
    const { code, stderr } = await command([part], { env });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/does not have its migration 000\d+-motto\.sql\./)]);
  });
});

test("migrate and the parts of an older version refuse a database that a newer one built without a further migration", async () => {
  const next = makeNextVersion("", "0.10.0");
  try {
    expect(await botstead(["migrate"], next)).toMatchObject({ code: 0 });
    for (const part of ["migrate", "api", "worker", "console"]) {
      const { code, stderr } = await botstead([part]);
      expect([part, code, stderr]).toEqual([
        part,
        1,
        expect.stringContaining("Version 0.10.0 built this database, and this is version"),
      ]);
    }
  } finally {
    next.remove();
  }
});

test("migrate --check lists what a migration would do, and does nothing", async () => {
  const next = makeNextVersion("alter table app.bots add column motto text;");
  try {
    const before = await stateOf(url);
    const { code, stderr } = await botstead(["migrate", "--check"], next);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The migration \d+-motto\.sql would run\.\nThe definitions would be rebuilt\.\n$/),
    ]);
    expect(await stateOf(url)).toEqual(before);
  } finally {
    next.remove();
  }
});
