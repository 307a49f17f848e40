/** Migrating again, concurrently, after a manual change, and with a definition that fails. */
import { migrate, recordNew } from "../../src/database/migrate.ts";
import { parseRanges } from "../../src/delivery/address.ts";
import { parseHosts } from "../../src/delivery/host-names.ts";
import { dropDatabase, emptyDatabasesOfFile, migratedDatabase, sharedServer, stateOf } from "../support/migrated.ts";
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";

const server = sharedServer();

const empty = emptyDatabasesOfFile(server);

/** @param isNew the database is not compared with a second one, which would take longer than to migrate it */
async function run(adminUrl: string, repair = false, isNew = false): Promise<string[]> {
  const notices: string[] = [];
  await migrate({ adminUrl, key: server.key, repair, isNew, progress: (sentence) => void notices.push(sentence) });
  return notices;
}

let url: string;
let state: string[];

beforeAll(async () => {
  url = await empty();
  expect(await run(url)).toContain("Applying definitions");
  state = await stateOf(url);
});

/** Changes with every write: the transactions that last wrote the definitions. */
const lastWritten = () =>
  query(
    url,
    "select max(id) as build, (select max(xmin::text::bigint) from pg_proc) as newest from app.definition_builds",
  );

test("the compared state contains objects of every kind", () => {
  for (const kind of [
    "schema api",
    "table app.runs",
    "policy select_of_visible_bots on app.runs",
    "trigger ",
    "function ",
    "built from ",
  ]) {
    expect([kind, state.some((line) => line.startsWith(kind))]).toEqual([kind, true]);
  }
});

test("a migration stores the private targets that it is given, and leaves them unchanged without any", async () => {
  const stored = () => query(url, "select webhook_allow_ranges, webhook_allow_hosts from app.service_settings");
  const allowed = { ranges: parseRanges("10.20.0.0/16,fd00:20::/32"), hosts: parseHosts("hooks,*.corp.internal") };
  await migrate({ adminUrl: url, key: server.key, allowed });
  await run(url);
  expect(await stored()).toEqual([
    { webhook_allow_ranges: ["10.20.0.0/16", "fd00:20::/32"], webhook_allow_hosts: ["hooks", ".corp.internal"] },
  ]);
  await migrate({ adminUrl: url, key: server.key, allowed: { ranges: [], hosts: [] } });
  expect(await stored()).toEqual([{ webhook_allow_ranges: [], webhook_allow_hosts: [] }]);
});

test("a migration with private targets records the digest of the settings once, and again as they change", async () => {
  const fresh = await migratedDatabase(server);
  const targets = (ranges: string) => ({ ranges: parseRanges(ranges), hosts: [] });
  const digests = () =>
    query<{ digest: string }>(
      fresh,
      `select after ->> 'contentDigest' as digest from app.audit_log
       where resource = 'service' and after ->> 'contentDigest' is not null order by id`,
    );
  for (const ranges of ["", "", "10.0.0.0/8"])
    await migrate({ adminUrl: fresh, key: server.key, allowed: targets(ranges) });
  const recorded = (await digests()).map(({ digest }) => digest);
  expect([recorded.length, new Set(recorded).size]).toEqual([2, 2]);
  await query(
    fresh,
    "set session_replication_role = replica; update app.service_settings set run_events_secret = uuidv4()",
  );
  const found = await query<{ problem: string }>(fresh, "select problem from audit.unrecorded_rows()");
  expect(found.map(({ problem }) => problem)).toEqual(["another value in the audit log: contentDigest"]);
  await dropDatabase(server, fresh);
});

test("a database that was just created records of itself what a database made for comparison has", async () => {
  const created = await empty();
  await migrate({ adminUrl: created, key: server.key, isNew: true });
  expect(await stateOf(created)).toEqual(state);
  const compared = "select compared_with_itself from app.definition_builds";
  expect(await query(created, compared)).toEqual(await query(url, compared));
});

test("recordNew records the same after a migration that left it out", async () => {
  const created = await empty();
  await migrate({ adminUrl: created, key: server.key, isNew: true, recordsLater: true });
  expect(await query(created, "select from app.built_catalogues")).toEqual([]);
  await Promise.all([recordNew(created, server.key), recordNew(created, server.key)]);
  expect(await stateOf(created)).toEqual(state);
  expect(await run(created)).not.toContain("Applying definitions");
});

test("without recordNew the next migration compares with another new database, so what was added meanwhile differs", async () => {
  const created = await empty();
  await migrate({ adminUrl: created, key: server.key, isNew: true, recordsLater: true });
  await query(created, "create table public.careless ()");
  expect(await run(created)).toContain("Applying definitions");
  expect(await query(created, "select object, change from audit.differences")).toEqual([
    { object: "table public.careless", change: "added" },
  ]);
  await query(created, "drop table public.careless");
  expect(await stateOf(created)).toEqual(state);
});

test("a second migration changes nothing and does not apply the definitions", async () => {
  const before = await lastWritten();
  expect(await run(url)).not.toContain("Applying definitions");
  expect(await lastWritten()).toEqual(before);
  expect(await stateOf(url)).toEqual(state);
});

test("a migration that examines an unchanged database reads its inventory once", async () => {
  const database = new URL(url).pathname.slice(1);
  const sessions = "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  await query(url, `alter database ${database} set track_functions = 'all'`);
  try {
    const found = await migrate({ adminUrl: url, key: server.key, examine: true });
    expect(found).toContainEqual(expect.objectContaining({ object: "setting fsync" }));
    await eventually(async () => (await query(url, sessions)).length === 0); // they write their counts at their end
    const calls = "select calls::int from pg_stat_user_functions where schemaname = 'audit' and funcname = 'inventory'";
    expect(await query(url, calls)).toEqual([{ calls: 1 }]);
  } finally {
    await query(url, `alter database ${database} reset all`);
  }
});

test("two concurrent migrations of an empty database both succeed, and one applies the definitions", async () => {
  const fresh = await empty();
  const notices = await Promise.all([run(fresh, false, true), run(fresh, false, true)]);
  expect(notices.flat().filter((sentence) => sentence === "Applying definitions")).toHaveLength(1);
  expect(await stateOf(fresh)).toEqual(state);
});

/** Manual changes in psql, each of another object. */
const alterations: [what: string, statement: string, object: string][] = [
  ["a policy dropped", "drop policy select_own on app.conversations", "policy select_own on app.conversations"],
  ["a policy added", "create policy open on app.runs for select to tenant using (true)", "policy open on app.runs"],
  [
    "a policy widened",
    "alter policy select_same_organisation on app.memberships using (true)",
    "policy select_same_organisation on app.memberships",
  ],
  [
    "a function added to schema api",
    "create function api.careless() returns int language sql as 'select 1'",
    "function api.careless()",
  ],
  [
    "a function replaced",
    "create or replace function caller.scope() returns app.key_scope language sql as $$ select 'admin'::app.key_scope $$",
    "function caller.scope()",
  ],
  ["api.handle taken away from tenant", "alter function api.handle owner to owner", "function api.handle("],
  ["a trigger dropped", "drop trigger _200_live_keys on app.api_keys", "trigger _200_live_keys on app.api_keys"],
  [
    "a trigger disabled",
    "alter table app.runs disable trigger _100_refuse_unlisted_transition",
    "trigger _100_refuse_unlisted_transition on app.runs",
  ],
  ["row-level security switched off", "alter table app.runs disable row level security", "table app.runs"],
  ["row-level security no longer forced", "alter table app.bots no force row level security", "table app.bots"],
  ["a table opened to server", "grant select on app.api_keys to server", "table app.api_keys"],
  ["a column opened to tenant", "grant select (digest) on app.api_keys to tenant", "column app.api_keys.digest"],
  ["a table opened to PUBLIC", "grant select on app.hooks to public", "table app.hooks"],
  ["a column opened to PUBLIC", "grant select (email) on app.people to public", "column app.people.email"],
  ["schema app opened to PUBLIC", "grant usage on schema app to public", "schema app"],
  ["schema public opened to PUBLIC", "grant usage on schema public to public", "schema public"],
];

test("the compared state shows each manual change, and a repair reverts all", async () => {
  await query(url, alterations.map(([, statement]) => statement).join(";\n"));
  const altered = await stateOf(url);
  const [before, after] = [new Set(state), new Set(altered)];
  const changed = [...before.symmetricDifference(after)];
  for (const [what, , object] of alterations) {
    expect([what, changed.some((line) => line.startsWith(object))]).toEqual([what, true]);
  }
  await run(url, true);
  expect(await stateOf(url)).toEqual(state);
});

describe("a definition that fails", () => {
  const oids = () =>
    query(
      url,
      "select 'api.handle'::regproc::oid::text as handle, array(select oid::text from pg_policy order by 1) as policies",
    );

  test("in the last statement leaves the old definitions in force", async () => {
    const before = await oids();
    await query(
      url,
      "alter table app.definition_builds add constraint frozen check (built_at < '2000-01-01') not valid",
    );
    const frozen = await stateOf(url);
    await expect(run(url, true, true)).rejects.toThrow(/frozen/);
    expect(await oids()).toEqual(before); // the same objects, not new ones
    expect(await stateOf(url)).toEqual(frozen);
    await query(url, "alter table app.definition_builds drop constraint frozen");
  });

  test("is rebuilt by a repair of unchanged definitions, which results in the same state", async () => {
    const before = await oids();
    expect(await run(url, true)).toContain("Applying definitions");
    expect(await oids()).not.toEqual(before);
    expect(await stateOf(url)).toEqual(state);
  });

  test("is reported with file and line", async () => {
    await query(url, "alter table app.bots rename direct_conversation to renamed");
    const renamed = await stateOf(url);
    await expect(run(url, true, true)).rejects.toThrow(
      /^sql\/policies\/bots\.sql:\d+: column "direct_conversation" .*does not exist/,
    );
    expect(await stateOf(url)).toEqual(renamed);
    await query(url, "alter table app.bots rename renamed to direct_conversation");
  });
});
