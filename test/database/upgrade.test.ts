/** A database with data is upgraded by the next version: its migration runs once, and every row stays. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../src/database/migrate.ts";
import { dropDatabase, migratedDatabase, sharedServer } from "../support/migrated.ts";
import { makeNextVersion, type Version } from "../support/next-version.ts";
import { commandOn } from "../support/program.ts";
import { query } from "../support/query.ts";

const server = sharedServer();
const masterKey = readFileSync(join(server.dataDir, "master.key"), "utf8").trim();
let url: string;
let next: Version | undefined;

beforeAll(async () => {
  url = await migratedDatabase(server);
  await query(
    url,
    `with organisation as (insert into app.organisations (name) values ('One'), ('Another') returning id),
     person as (insert into app.people (email) values ('ada@example.test') returning id),
     bot as (
       insert into app.bots (organisation_id, name, owner_id) select organisation.id, 'Guide', person.id
       from organisation, person returning organisation_id
     )
     insert into app.events (organisation_id, kind, data)
     select organisation_id, 'webhook.test', json_build_object('number', number) from bot, generate_series(1, 20) number`,
  );
});

afterAll(async () => {
  next?.remove();
  await dropDatabase(server, url);
});

const rows = () =>
  query(
    url,
    `select to_jsonb(bot) - 'motto' as row from app.bots bot
     union all select to_jsonb(event) from app.events event order by 1`,
  );

const migrateBy = (version: Version | undefined, adminUrl = url) =>
  commandOn({ adminUrl, masterKey, dataDir: server.dataDir }, ["migrate"], version?.script);

test("migrate of the next version fills a new column and keeps every row", async () => {
  const before = await rows();
  expect(before).toHaveLength(42);
  next = makeNextVersion(
    "alter table app.bots add column motto text; update app.bots set motto = 'I am ' || name; alter table app.bots alter motto set not null;",
  );
  expect(await migrateBy(next)).toMatchObject({ code: 0 });
  expect(await rows()).toEqual(before);
  expect(await query(url, "select distinct motto from app.bots")).toEqual([{ motto: "I am Guide" }]);
  expect(await query(url, "select api.next_version() as version")).toEqual([{ version: "next" }]);
  expect(await query(url, "select * from audit.verify_chain()")).toEqual([]);
});

test("migrate of the next version changes nothing when it runs again", async () => {
  const applied = () => query(url, "select filename, date from graphile_migrate.migrations order by filename");
  const before = await applied();
  expect(await migrateBy(next)).toMatchObject({ code: 0 });
  expect(await applied()).toEqual(before);
});

test("migrate sets the run of an event that was written after the first new migration, without triggers", async () => {
  const version = makeNextVersion(
    `alter table app.events disable trigger user;
     insert into app.events (organisation_id, kind, data)
     select id, 'run.finished', json_build_object('runId', id) from app.organisations limit 1`,
  );
  try {
    const fresh = await migratedDatabase(server);
    await query(fresh, "insert into app.organisations (name) values ('One')");
    expect(await migrateBy(version, fresh)).toMatchObject({ code: 0 });
    expect(await query(fresh, "select run_id = organisation_id as is_set from app.events")).toEqual([{ is_set: true }]);
    await dropDatabase(server, fresh);
  } finally {
    version.remove();
  }
});

test("migrate leaves the tables unchanged when a migration fails", async () => {
  const failing = makeNextVersion("alter table app.bots add column motto text; select 1 / 0;");
  try {
    const fresh = await migratedDatabase(server);
    const { code, stderr } = await migrateBy(failing, fresh);
    expect([code, stderr]).toEqual([1, expect.stringContaining("division by zero")]);
    expect(await query(fresh, "select from pg_attribute where attname = 'motto'")).toEqual([]);
    await dropDatabase(server, fresh);
  } finally {
    failing.remove();
  }
});

test("migrate refuses a database from before 0.2.0 with a sentence, and leaves it unchanged", async () => {
  const former = "update graphile_migrate.migrations set hash = 'sha1:' || md5(hash), previous_hash = null";
  const old = await migratedDatabase(server);
  await query(old, former);
  await expect(migrate({ adminUrl: old, key: server.key })).rejects.toThrow(
    /^A version before 0\.2\.0 made this database\..* Use an empty database\.$/,
  );
  expect(await query(old, "select count(*)::integer as tables from pg_tables where schemaname = 'app'")).toEqual(
    await query(url, "select count(*)::integer as tables from pg_tables where schemaname = 'app'"),
  );
  await dropDatabase(server, old);
});
