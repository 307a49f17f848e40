/** A database whose defaults differ in everything that results depend on: every login pins them (src/database/roles.ts). */
import { pinned, roleSettings } from "../../src/database/roles.ts";
import type { RunningWorker } from "../../src/worker/worker.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { makeKey, makeOrganisation, type TestDatabase, type TestKey, testDatabase } from "../support/database.ts";
import { eventually, testWorker } from "../support/worker.ts";

const others: Record<keyof typeof pinned, string> = {
  default_transaction_isolation: "serializable",
  row_security: "off",
  search_path: "public",
  standard_conforming_strings: "off",
  transform_null_equals: "on",
  array_nulls: "off",
  quote_all_identifiers: "on",
  bytea_output: "escape",
  extra_float_digits: "-10",
  DateStyle: "SQL, DMY",
  IntervalStyle: "sql_standard",
  TimeZone: "Asia/Kathmandu",
  lc_numeric: "POSIX",
  lc_monetary: "POSIX",
  lc_time: "POSIX",
  default_text_search_config: "pg_catalog.english",
};

let db: TestDatabase;
let api: TestApi;
let worker: RunningWorker;
let key: TestKey;

beforeAll(async () => {
  db = await testDatabase();
  await db.sql(
    `do $$ begin ${Object.entries(others)
      .map(([name, value]) => {
        const list = name === "search_path" || name === "DateStyle" ? value : `'${value}'`;
        return `execute format('alter database %I set ${name} = ${list.replaceAll("'", "''")}', current_database());`;
      })
      .join(" ")} end $$`,
  );
  const organisation = await makeOrganisation(db);
  key = await makeKey(db, organisation.id, organisation.ownerId);
  api = await testApi(db);
  worker = await testWorker(db);
});

afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await db.drop();
});

const post = (path: string, body: object) => api.call("POST", path, { key: key.text, body });

test("a session of each login has the pinned settings, not the settings of the database", async () => {
  for (const role of Object.keys(roleSettings) as (keyof typeof roleSettings)[]) {
    const { rows } = await db
      .poolAs(role, 1)
      .query<{ name: string; setting: string }>("select name, setting from pg_settings where name = any ($1)", [
        Object.keys(pinned),
      ]);
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(pinned);
  }
});

test("60 parallel POSTs of memories are all 201", async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      post("/memories", {
        scope: "organisation",
        kind: "policy",
        subject: `Hours \\ ${at}`,
        value: "It's nine\\to five",
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  expect(answers[0]?.body).toMatchObject({ subject: "Hours \\ 0", value: "It's nine\\to five" });
  expect(answers[0]?.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("a search finds memories, and a list ends", async () => {
  const found = await api.call("GET", "/memories?q=nine&limit=200", { key: key.text });
  expect(found.body.data).toHaveLength(60);
  expect(found.body.nextCursor).toBeNull();
});

test("a routine fires", async () => {
  const bot = await post("/bots", { name: "Ada" });
  const routine = await post("/routines", {
    ...{ botId: bot.body.id, name: "Noon", schedule: "0 12 * * *", timeZone: "Europe/Berlin", message: "What is new?" },
  });
  expect(routine.status).toBe(201);
  const read = async () => (await api.call("GET", `/routines/${routine.body.id}`, { key: key.text })).body;
  await eventually(async () => (await read()).nextFiringAt !== null);
  await db.sql("update app.routines set next_firing_at = times.clock() - interval '1 second'");
  await eventually(async () => (await read()).lastRunId !== null);
  expect(await read()).toMatchObject({ state: "active", pauseReason: null });
});
