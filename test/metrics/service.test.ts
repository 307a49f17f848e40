/** Metrics that the console reads from the database. */
import { definitionsDigest } from "../../src/database/definitions.ts";
import { urlAs } from "../../src/database/urls.ts";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { measureService } from "../../src/metrics/service.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { readMetrics } from "../support/metrics.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test("without a database, botstead_database_up is 0 and the other metrics are missing", async () => {
  const registry = makeRegistry("console");
  const service = measureService(registry, "postgres://operator:none@127.0.0.1:1/none", "");
  const found = readMetrics(await registry.metrics());
  expect(found.value("botstead_database_up")).toBe(0);
  expect(found.samples.map(({ name }) => name)).toEqual(["botstead_database_up"]);
  await service.close();
});

test("concurrent scrapes query the database once, and other definitions give botstead_definitions_current 0", async () => {
  const operator = urlAs("operator", db.adminUrl, db.key);
  const [current, older] = [makeRegistry("console"), makeRegistry("console")];
  const services = [measureService(current, operator, definitionsDigest()), measureService(older, operator, "older")];
  await db.sql(`create schema watch; create table watch.calls (at timestamptz default now());
    grant usage on schema watch to owner; grant insert on watch.calls to owner`);
  await db.sql(
    `alter function operator.measure_jobs() rename to measured;
     create function operator.measure_jobs() returns json language sql as
       $$ insert into watch.calls default values; select operator.measured() $$;
     alter function operator.measure() volatile`,
  );
  const texts = await Promise.all([current.metrics(), current.metrics(), current.metrics(), older.metrics()]);
  const reported = texts.map((text) => readMetrics(text).value("botstead_definitions_current"));
  expect(reported).toEqual([1, 1, 1, 0]);
  expect(await db.sql("select from watch.calls")).toHaveLength(2);
  await Promise.all(services.map((service) => service.close()));
});

test("the operator role can call operator.measure, but not its parts or the tables", async () => {
  const operator = db.poolAs("operator", 1);
  expect((await operator.query("select operator.measure() -> 'runs' as runs")).rows).toEqual([
    {
      runs: {
        states: { queued: 0, postponed: 0, running: 0, waiting_approval: 0, paused_limit: 0, blocked: 0 },
        oldest: 0,
      },
    },
  ]);
  for (const statement of ["select operator.measure_runs()", "select from app.runs"]) {
    await expect(operator.query(statement)).rejects.toMatchObject({ code: "42501" });
  }
});

test("connections are counted by role; unknown roles count as other", async () => {
  for (const role of ["worker", "operator"] as const) await db.poolAs(role, 1).query("select");
  const [row] = await db.sql<{ roles: Record<string, number> }>("select operator.measure() -> 'connections' as roles");
  expect(row?.roles).toMatchObject({ worker: 1, operator: expect.any(Number), other: expect.any(Number) });
});
