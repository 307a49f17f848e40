/** The job queue belongs to owner, and worker can replace nothing in it. */
import { EventEmitter } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Client } from "pg";
import pino from "pino";
import { openWorkerPool } from "../../src/database/connections/worker-pool.ts";
import { ensureDatabase } from "../../src/database/ensure-database.ts";
import { ensureRoles } from "../../src/database/ensure-roles.ts";
import { migrate } from "../../src/database/migrate.ts";
import { urlAs } from "../../src/database/urls.ts";
import { startJobs } from "../../src/worker/jobs.ts";
import { findingsOnTestCluster } from "../support/audited.ts";
import { dropDatabase, emptyDatabase, sharedServer, stateOf } from "../support/migrated.ts";
import { query } from "../support/query.ts";

const server = sharedServer();
const urls: string[] = [];

async function empty(): Promise<string> {
  const url = await emptyDatabase(server);
  urls.push(url);
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await ensureRoles(admin, server.key);
  await ensureDatabase(admin);
  await admin.end();
  return url;
}

const run = (adminUrl: string, more: { repair?: boolean; isNew?: boolean } = {}) =>
  migrate({ adminUrl, key: server.key, ...more });
const as = (role: "owner" | "worker", url: string) => urlAs(role, url, server.key);
const findings = (url: string) => query(url, `select rule, object from (${findingsOnTestCluster}) found`);

/** Owners of the queue's objects. */
const owners = async (url: string) =>
  (
    await query<{ owner: string }>(
      url,
      `select distinct pg_get_userbyid(owner)::text as owner
       from (
         select nspowner as owner from pg_namespace where nspname = 'graphile_worker'
         union all select relowner from pg_class where relnamespace = 'graphile_worker'::regnamespace
         union all select proowner from pg_proc where pronamespace = 'graphile_worker'::regnamespace
         union all select typowner from pg_type where typnamespace = 'graphile_worker'::regnamespace
       ) object`,
    )
  ).map(({ owner }) => owner);

/** The queue as after this number of graphile-worker's migrations. */
async function installQueue(url: string, migrations: number): Promise<void> {
  const folder = join(dirname(createRequire(import.meta.url).resolve("graphile-worker")), "../sql");
  const files = readdirSync(folder).sort().slice(0, migrations);
  const texts = files.map((file) => [
    readFileSync(join(folder, file), "utf8").replaceAll(":GRAPHILE_WORKER_SCHEMA", `"graphile_worker"`),
    `insert into graphile_worker.migrations (id, breaking)
     values (${Number.parseInt(file, 10)}, ${readFileSync(join(folder, file), "utf8").startsWith("--! breaking")})`,
  ]);
  await query(
    as("owner", url),
    `create schema graphile_worker;
     create table graphile_worker.migrations(id int primary key, ts timestamptz default now() not null,
       breaking boolean not null default false);
     ${texts.flat().join(";\n")}`,
  );
}

let fresh: string;
let freshState: string[];

beforeAll(async () => {
  fresh = await empty();
  await run(fresh, { isNew: true });
  freshState = await stateOf(fresh);
});

afterAll(async () => {
  for (const made of urls) await dropDatabase(server, made);
});

test("owner owns the queue after a migration", async () => {
  expect(await owners(fresh)).toEqual(["owner"]);
});

test.each([
  "create or replace function graphile_worker.force_unlock_workers(worker_ids text[]) returns void language sql as 'select'",
  "create or replace view graphile_worker.jobs as select 1 as id",
  "create function graphile_worker.add_job(text, json) returns void language sql as 'select'",
  "create trigger spy after insert on graphile_worker._private_jobs for each row execute function graphile_worker.spy()",
  "alter table graphile_worker._private_jobs disable row level security",
  "alter schema graphile_worker rename to queue",
  "drop view graphile_worker.jobs",
  "truncate graphile_worker._private_jobs",
  "insert into graphile_worker._private_jobs (task_id) values (1)",
  "select graphile_worker.add_job('send_mail')",
  "update graphile_worker.migrations set breaking = false",
  "set role owner",
])("worker is refused: %s", async (statement) => {
  await expect(query(as("worker", fresh), statement)).rejects.toMatchObject({ code: "42501" });
});

test("migrate upgrades an older queue, and the state equals a fresh one", async () => {
  const url = await empty();
  await installQueue(url, 17);
  await query(as("owner", url), "select graphile_worker.add_job('deliver_to_endpoint', run_at => 'infinity')");
  expect(await query(url, "select max(id) as id from graphile_worker.migrations")).toEqual([{ id: 17 }]);
  await run(url);
  expect(await query(url, "select task_identifier from graphile_worker.jobs")).toEqual([
    { task_identifier: "deliver_to_endpoint" },
  ]);
  expect(await stateOf(url)).toEqual(freshState);
  expect(await findings(url)).toEqual([]);
});

test("a worker refuses an older queue and does not migrate it", async () => {
  const url = await empty();
  await installQueue(url, 17);
  await query(
    as("owner", url),
    "grant usage on schema graphile_worker to worker; grant all on all tables in schema graphile_worker to worker",
  );
  const pool = openWorkerPool({ connectionString: as("worker", url), query_timeout: 5_000 });
  const started = startJobs(
    { events: new EventEmitter(), log: pino({ level: "silent" }), stopTimeoutMs: 0 },
    { mails: { pool, tasks: {} }, others: { pool, tasks: {} } },
  );
  await expect(started).rejects.toThrow("The job queue is older than this version of Botstead. Run botstead migrate.");
  await pool.end();
  expect(await query(url, "select max(id) as id from graphile_worker.migrations")).toEqual([{ id: 17 }]);
});

test("the audit finds a manual change made to the queue before a repair, and its remedy repairs it", async () => {
  const url = await empty();
  await run(url, { isNew: true });
  await query(
    url,
    `create or replace function graphile_worker.force_unlock_workers(worker_ids text[]) returns void
     language sql as 'select from app.memories'`,
  );
  await run(url, { repair: true });
  expect(await findings(url)).toEqual([
    { rule: "difference", object: "function graphile_worker.force_unlock_workers(text[])" },
  ]);
  await query(url, "drop schema graphile_worker cascade");
  await run(url, { repair: true });
  expect(await findings(url)).toEqual([]);
  expect(await stateOf(url)).toEqual(freshState);
});

test("a migration that applies the definitions does not stop running workers", async () => {
  const listener = new Client({ connectionString: fresh });
  await listener.connect();
  const channels: string[] = [];
  listener.on("notification", ({ channel }) => void channels.push(channel));
  await listener.query('listen "worker:migrate"; listen planted');
  await run(fresh, { repair: true, isNew: true });
  await query(fresh, "notify planted");
  await listener.query("select 1");
  await listener.end();
  expect(channels).toEqual(["planted"]);
});
