/**
 * Partitions: made ahead, dropped when their time has passed, and there again after a long absence.
 */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { leaseDue, record } from "../support/endpoint-leases.ts";
import { dropAll } from "../support/partitions.ts";
import { begun } from "../support/transactions.ts";
import { eventually, type Step, testWorker } from "../support/worker.ts";

let db: TestDatabase;
let organisation: string;

beforeEach(async () => {
  db = await testDatabase();
  organisation = (await makeOrganisation(db)).id;
});

afterEach(() => db.drop());

const families = ["delivery_attempts", "deliveries", "events"] as const;

/** The weeks for which there are partitions, as their Mondays: "20261116". */
async function weeksOf(family: string): Promise<string[]> {
  const rows = await db.sql<{ week: string }>(
    `select right(relname, 8) as week from pg_class
     where relnamespace = 'partitions'::regnamespace and relkind = 'r' and relname ~ ('^' || $1 || '_\\d+$')
     order by 1`,
    [family],
  );
  return rows.map(({ week }) => week);
}

/** The Monday so many weeks from now. */
async function monday(weeks: number): Promise<string> {
  const [row] = await db.sql<{ week: string }>(
    `select to_char(date_trunc('week', now(), 'UTC') at time zone 'UTC' + $1 * interval '7 days', 'YYYYMMDD') as week`,
    [weeks],
  );
  return row?.week ?? "";
}

/** As it is when nothing has run for so long that every week ahead has passed. */
async function letAllWeeksPass(): Promise<void> {
  for (const family of families) {
    for (const week of await weeksOf(family)) await db.sql(`drop table partitions.${family}_${week}`);
  }
}

const announce = () =>
  db.sql<{ id: string }>(
    "insert into app.events (organisation_id, kind, data) values ($1, 'webhook.test', '{}') returning id",
    [organisation],
  );

type Written = { event: string; delivery: string; endpoint: string };

/** Inserts an event, its delivery and an attempt of the given age, and creates their weekly partitions. */
async function write(eventAge: string, deliveryAge = eventAge): Promise<Written> {
  for (const age of new Set([eventAge, deliveryAge])) {
    await db.sql(
      `select jobs.make_week(monday) from date_trunc('week', now() - $1::interval, 'UTC') monday
       where to_regclass('partitions.events_' || to_char(monday at time zone 'UTC', 'YYYYMMDD')) is null`,
      [age],
    );
  }
  const [written] = await db.sql<Written>(
    `with endpoint as (
       insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
       values ($1, 'https://receiver.example/', '{run.finished}', 'sealed') returning id
     ), event as (
       insert into app.events (organisation_id, id, kind, data)
       values ($1, uuidv7(-$2::interval), 'webhook.test', '{}') returning id
     ), delivery as (
       insert into app.deliveries (organisation_id, id, endpoint_id, event_id, event)
       select $1, uuidv7(-$3::interval), endpoint.id, event.id, 'webhook.test' from endpoint, event
       returning id, endpoint_id, event_id
     )
     select id as delivery, event_id as event, endpoint_id as endpoint from delivery`,
    [organisation, eventAge, deliveryAge],
  );
  if (!written) throw new Error("nothing was written");
  await db.sql(
    `insert into app.delivery_attempts
       (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
     select organisation_id, id, endpoint_id, 1, 'scheduled', now(), 1, 200 from app.deliveries where id = $1`,
    [written.delivery],
  );
  return written;
}

/** What of it is still there. */
async function left({ event, delivery }: Written): Promise<Record<string, number>> {
  const [row] = await db.sql<Record<string, number>>(
    `select
       (select count(*)::integer from app.events where id = $1) as events,
       (select count(*)::integer from app.deliveries where id = $2) as deliveries,
       (select count(*)::integer from app.delivery_attempts where delivery_id = $2) as attempts`,
    [event, delivery],
  );
  return row ?? {};
}

describe("jobs.make_partitions", () => {
  test("has created this week and the next five of each table after a migration", async () => {
    for (const family of [...families, "audit_log", "run_events", "steps"]) {
      const weeks = await weeksOf(family);
      expect(weeks).toEqual(expect.arrayContaining(await Promise.all([0, 1, 2, 3, 4, 5].map(monday))));
      expect(weeks.at(-1)).toBe(await monday(5));
    }
  });

  test("creates a missing week and keeps the others", async () => {
    for (const family of families) await db.sql(`drop table partitions.${family}_${await monday(5)}`);
    const worker = db.poolAs("worker", 1);
    const make = async () => (await worker.query<{ made: number }>("select jobs.make_partitions() as made")).rows[0];
    expect(await make()).toEqual({ made: 1 });
    expect((await weeksOf("events")).at(-1)).toBe(await monday(5));
    expect(await make()).toEqual({ made: 0 });
  });

  test("creates each week once in two concurrent calls", async () => {
    await letAllWeeksPass();
    const worker = db.poolAs("worker", 4);
    const made = await Promise.all(
      [1, 2, 3, 4].map(async () => (await worker.query("select jobs.make_partitions() as made")).rows[0].made),
    );
    expect(made.filter((weeks) => weeks === 0)).toHaveLength(3);
    expect((await weeksOf("deliveries")).at(-1)).toBe(await monday(5));
  });

  test("does not block a writer: the worker creates the week later, and a migration fails", async () => {
    for (const family of families) await db.sql(`drop table partitions.${family}_${await monday(5)}`);
    const make = async () =>
      (await db.poolAs("worker", 1).query<{ made: number }>("select jobs.make_partitions() as made")).rows[0];
    const holder = await begun(db);
    await holder.query("lock table app.deliveries in share row exclusive mode");
    expect(await make()).toEqual({ made: 0 });
    await expect(db.sql("select jobs.make_partitions('100 milliseconds')")).rejects.toMatchObject({ code: "55P03" });
    await holder.query("commit");
    expect(await make()).toEqual({ made: 1 });
    expect((await weeksOf("deliveries")).at(-1)).toBe(await monday(5));
  });

  test("creates all missing weeks when a worker starts after months", async () => {
    await letAllWeeksPass();
    await expect(announce()).rejects.toMatchObject({ code: "23514" });
    const worker = await testWorker(db);
    try {
      await eventually(async () => (await weeksOf("delivery_attempts")).includes(await monday(5)));
      expect(await announce()).toHaveLength(1);
    } finally {
      await worker.stop();
    }
  });

  test("is called by a worker even if all earlier tasks fail", async () => {
    await letAllWeeksPass();
    const before = "function jobs.run_maintenance, jobs.delete_old_request_minutes";
    await db.sql(`revoke execute on ${before} from worker`);
    const worker = await testWorker(db);
    try {
      await eventually(async () => (await weeksOf("events")).includes(await monday(5)));
    } finally {
      await worker.stop();
      await db.sql(`grant execute on ${before} to worker`);
    }
  });

  test("creates weeks that contain each minute once", async () => {
    const found = await db.sql(
      `select
         times.least_id('2026-11-16Z') <= uuidv7('2026-11-16Z'::timestamptz - clock_timestamp() + interval '1 second') as first,
         times.least_id('2026-11-16Z') > uuidv7('2026-11-16Z'::timestamptz - clock_timestamp() - interval '1 second') as before,
         uuid_extract_timestamp(times.least_id('2026-11-16 12:34:56.789Z')) = '2026-11-16 12:34:56.789Z' as instant`,
    );
    expect(found).toEqual([{ first: true, before: true, instant: true }]);
  });
});

describe("dropping old weeks", () => {
  test("drops a week when its youngest row is older than the retention, 30 days by default", async () => {
    const old = await write("38 days");
    const young = await write("29 days");
    expect(await dropAll(db)).toHaveLength(3);
    expect(await left(old)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
    expect(await left(young)).toEqual({ events: 1, deliveries: 1, attempts: 1 });

    await db.sql("update app.service_settings set delivery_retention = '1 day'");
    await dropAll(db);
    expect(await left(young)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
    expect(await announce()).toHaveLength(1); // this week is never dropped
  });

  test("refuses a delivery_retention of less than a day", async () => {
    await expect(db.sql("update app.service_settings set delivery_retention = '23 hours'")).rejects.toMatchObject({
      constraint: "service_settings_delivery_retention_check",
    });
  });

  test("keeps a week of events while a delivery refers to it", async () => {
    const late = await write("50 days", "20 days");
    await dropAll(db);
    expect(await left(late)).toEqual({ events: 1, deliveries: 1, attempts: 1 });
    await db.sql("update app.service_settings set delivery_retention = '10 days'");
    expect((await dropAll(db)).map((name) => name.replace(/_\d+$/, ""))).toEqual(expect.arrayContaining([...families]));
    expect(await left(late)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
  });

  test("drops pending deliveries of a paused endpoint with their week", async () => {
    const waiting = await write("38 days");
    await db.sql("update app.webhook_endpoints set state = 'paused'");
    expect(await db.sql("select state from app.deliveries")).toEqual([{ state: "pending" }]);
    await dropAll(db);
    expect(await left(waiting)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
  });

  test("does not interrupt a reader, and drops the week later", async () => {
    const old = await write("38 days");
    const reader = await begun(db);
    await reader.query("select from app.delivery_attempts");
    expect(await dropAll(db)).toEqual([]);
    expect(await left(old)).toEqual({ events: 1, deliveries: 1, attempts: 1 });
    await reader.query("commit");
    expect(await dropAll(db)).toHaveLength(3);
  });

  test("keeps a week of attempts as long as its deliveries, so that a redelivery is recorded", async () => {
    const old = await write("38 days");
    const young = await write("0 days");
    await db.sql("update app.deliveries set state = 'failed', attempts = 1, next_attempt_at = null");
    const reader = await begun(db);
    await reader.query(`select from app.deliveries where id = '${young.delivery}'`); // this week's, which is kept
    expect(await dropAll(db)).toEqual([]);
    expect(await left(old)).toEqual({ events: 1, deliveries: 1, attempts: 1 });
    await db.sql("update app.deliveries set state = 'pending' where id = $1", [old.delivery]); // as api.redeliver does
    const worker = db.poolAs("worker", 1);
    const [lease, ...others] = await leaseDue(worker, { organisationId: organisation, endpointId: old.endpoint });
    expect([lease?.deliveryId, others]).toEqual([old.delivery, []]);
    await record(worker, organisation, [[lease as Step, { statusCode: 200 }]]);
    expect(await db.sql("select state, attempts from app.deliveries where id = $1", [old.delivery])).toEqual([
      { state: "delivered", attempts: 2 },
    ]);
    expect(await left(old)).toEqual({ events: 1, deliveries: 1, attempts: 2 });
    await reader.query("commit");
    expect(await dropAll(db)).toHaveLength(3);
    expect(await left(old)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
  });

  test("does not interrupt a reader of attempts and then deliveries, because the lock time-out of 0.5 s covers both", async () => {
    const old = await write("38 days");
    const [writer, reader] = [await begun(db), await begun(db)];
    const waits = async (pid: number) =>
      (await db.sql("select from pg_locks where pid = $1 and not granted", [pid])).length > 0;
    const waitsForDeliveries = async () =>
      (await db.sql("select from pg_locks where relation = 'app.deliveries'::regclass and not granted")).length > 0;
    await writer.query("lock table app.deliveries in row exclusive mode");
    // Sooner than PostgreSQL would by itself: between half a second and twice that.
    await reader.query("set deadlock_timeout = '800ms'");
    await reader.query("select from app.delivery_attempts");
    const { rows } = await reader.query<{ pid: number }>("select pg_backend_pid() as pid");
    const dropping = dropAll(db);
    await eventually(waitsForDeliveries);
    const answer = reader.query("select id from app.deliveries"); // waits for the drop, which waits for the writer
    await eventually(() => waits(rows[0]?.pid ?? 0));
    // Each wait alone is shorter than the lock time-out of 0.5 s, and both together are longer.
    await new Promise((resolve) => setTimeout(resolve, 350));
    await writer.query("commit");
    expect((await answer).rows).toEqual([{ id: old.delivery }]);
    expect(await dropping).toEqual([]);
    await reader.query("commit");
    expect(await dropAll(db)).toHaveLength(3);
  });

  test("keeps the week of an old event for which a delivery is being inserted", async () => {
    const { event } = await write("38 days");
    const maker = await begun(db);
    await maker.query(
      `insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
       select organisation_id, endpoint_id, event_id, event from app.deliveries where event_id = $1`,
      [event],
    );
    const dropping = dropAll(db); // waits for the maker, who holds the event by having looked it up
    await maker.query("commit");
    await dropping;
    await dropAll(db);
    expect(await db.sql("select event_id from app.deliveries join app.events on events.id = event_id")).toEqual([
      { event_id: event },
    ]);
  });

  test("is done by the worker", async () => {
    const old = await write("38 days");
    const worker = await testWorker(db);
    try {
      await eventually(async () => (await left(old)).events === 0);
    } finally {
      await worker.stop();
    }
  });
});

describe("an event", () => {
  test.each([
    ["is not deleted", "delete from app.events"],
    ["is not truncated", "truncate app.events"],
    ["keeps its id", "update app.events set id = uuidv7()"],
    ["keeps its organisation", "update app.events set organisation_id = organisation_id"],
  ])("%s", async (_, statement) => {
    await write("0");
    await expect(db.sql(statement)).rejects.toMatchObject({ code: "23001" });
  });
});
