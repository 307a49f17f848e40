/**
 * Partitions: made ahead, dropped when their time has passed, and there again after a long absence.
 */
import { Client } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { leaseDue, record } from "../support/endpoint-leases.ts";
import { dropAll } from "../support/partitions.ts";
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

/** An event, a delivery of it and an attempt, each as old as is said; the weeks that they lie in are made. */
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

describe("making ahead", () => {
  test("a migrated database has this week and the five that follow, of each", async () => {
    for (const family of [...families, "audit_log", "run_events", "steps"]) {
      const weeks = await weeksOf(family);
      expect(weeks).toEqual(expect.arrayContaining(await Promise.all([0, 1, 2, 3, 4, 5].map(monday))));
      expect(weeks.at(-1)).toBe(await monday(5));
    }
  });

  test("a week that is missing is made, and what is there is left alone", async () => {
    for (const family of families) await db.sql(`drop table partitions.${family}_${await monday(5)}`);
    const worker = db.poolAs("worker", 1);
    const make = async () => (await worker.query<{ made: number }>("select jobs.make_partitions() as made")).rows[0];
    expect(await make()).toEqual({ made: 1 });
    expect((await weeksOf("events")).at(-1)).toBe(await monday(5));
    expect(await make()).toEqual({ made: 0 });
  });

  test("two concurrent calls create each week once", async () => {
    await letAllWeeksPass();
    const worker = db.poolAs("worker", 4);
    const made = await Promise.all(
      [1, 2, 3, 4].map(async () => (await worker.query("select jobs.make_partitions() as made")).rows[0].made),
    );
    expect(made.filter((weeks) => weeks === 0)).toHaveLength(3);
    expect((await weeksOf("deliveries")).at(-1)).toBe(await monday(5));
  });

  test("a writer does not wait: the worker creates the week later, and a migration reports that it could not", async () => {
    for (const family of families) await db.sql(`drop table partitions.${family}_${await monday(5)}`);
    const make = async () =>
      (await db.poolAs("worker", 1).query<{ made: number }>("select jobs.make_partitions() as made")).rows[0];
    const holder = new Client({ connectionString: db.adminUrl });
    await holder.connect();
    try {
      await holder.query("begin; lock table app.deliveries in share row exclusive mode");
      expect(await make()).toEqual({ made: 0 });
      await expect(db.sql("select jobs.make_partitions('100 milliseconds')")).rejects.toMatchObject({ code: "55P03" });
      await holder.query("commit");
    } finally {
      await holder.end();
    }
    expect(await make()).toEqual({ made: 1 });
    expect((await weeksOf("deliveries")).at(-1)).toBe(await monday(5));
  });

  test("a worker that starts after months makes what is missing", async () => {
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

  test("a worker creates weeks also if all earlier tasks fail", async () => {
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

  test("rows of every minute of a week lie in it, and those of the next in the next", async () => {
    const found = await db.sql(
      `select
         times.least_id('2026-11-16Z') <= uuidv7('2026-11-16Z'::timestamptz - clock_timestamp() + interval '1 second') as first,
         times.least_id('2026-11-16Z') > uuidv7('2026-11-16Z'::timestamptz - clock_timestamp() - interval '1 second') as before,
         uuid_extract_timestamp(times.least_id('2026-11-16 12:34:56.789Z')) = '2026-11-16 12:34:56.789Z' as instant`,
    );
    expect(found).toEqual([{ first: true, before: true, instant: true }]);
  });
});

describe("dropping", () => {
  test("a week goes when the youngest of it is older than what is kept, thirty days unless set otherwise", async () => {
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

  test("delivery_retention cannot be less than a day", async () => {
    await expect(db.sql("update app.service_settings set delivery_retention = '23 hours'")).rejects.toMatchObject({
      constraint: "service_settings_delivery_retention_check",
    });
  });

  test("a week of events stays for as long as a delivery refers to it", async () => {
    const late = await write("50 days", "20 days");
    await dropAll(db);
    expect(await left(late)).toEqual({ events: 1, deliveries: 1, attempts: 1 });
    await db.sql("update app.service_settings set delivery_retention = '10 days'");
    expect((await dropAll(db)).map((name) => name.replace(/_\d+$/, ""))).toEqual(expect.arrayContaining([...families]));
    expect(await left(late)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
  });

  test("pending deliveries of a paused endpoint are dropped with their week", async () => {
    const waiting = await write("38 days");
    await db.sql("update app.webhook_endpoints set state = 'paused'");
    expect(await db.sql("select state from app.deliveries")).toEqual([{ state: "pending" }]);
    await dropAll(db);
    expect(await left(waiting)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
  });

  test("a reader is not interrupted: the week is dropped later", async () => {
    const old = await write("38 days");
    const reader = new Client({ connectionString: db.adminUrl });
    await reader.connect();
    try {
      await reader.query("begin");
      await reader.query("select from app.delivery_attempts");
      expect(await dropAll(db)).toEqual([]);
      expect(await left(old)).toEqual({ events: 1, deliveries: 1, attempts: 1 });
      await reader.query("commit");
    } finally {
      await reader.end();
    }
    expect(await dropAll(db)).toHaveLength(3);
  });

  test("a week of attempts stays as long as its deliveries: a redelivery during reads of other weeks is recorded", async () => {
    const old = await write("38 days");
    const young = await write("0 days");
    await db.sql("update app.deliveries set state = 'failed', attempts = 1, next_attempt_at = null");
    const reader = new Client({ connectionString: db.adminUrl });
    await reader.connect();
    try {
      await reader.query("begin");
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
    } finally {
      await reader.end();
    }
    expect(await dropAll(db)).toHaveLength(3);
    expect(await left(old)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
  });

  test("a reader of attempts and then of deliveries is not interrupted: the lock time-out of 0.5 s covers both", async () => {
    const old = await write("38 days");
    const [writer, reader] = [0, 0].map(() => new Client({ connectionString: db.adminUrl })) as [Client, Client];
    const waits = async (pid: number) =>
      (await db.sql("select from pg_locks where pid = $1 and not granted", [pid])).length > 0;
    const waitsForDeliveries = async () =>
      (await db.sql("select from pg_locks where relation = 'app.deliveries'::regclass and not granted")).length > 0;
    await writer.connect();
    await reader.connect();
    try {
      await writer.query("begin; lock table app.deliveries in row exclusive mode");
      // Sooner than PostgreSQL would by itself: between half a second and twice that.
      await reader.query("set deadlock_timeout = '800ms'");
      await reader.query("begin; select from app.delivery_attempts");
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
    } finally {
      await Promise.all([writer.end(), reader.end()]);
    }
    expect(await dropAll(db)).toHaveLength(3);
  });

  test("a delivery being made of an old event keeps its week", async () => {
    const { event } = await write("38 days");
    const maker = new Client({ connectionString: db.adminUrl });
    await maker.connect();
    try {
      await maker.query("begin");
      await maker.query(
        `insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
         select organisation_id, endpoint_id, event_id, event from app.deliveries where event_id = $1`,
        [event],
      );
      const dropping = dropAll(db); // waits for the maker, who holds the event by having looked it up
      await maker.query("commit");
      await dropping;
      await dropAll(db);
    } finally {
      await maker.end();
    }
    expect(await db.sql("select event_id from app.deliveries join app.events on events.id = event_id")).toEqual([
      { event_id: event },
    ]);
  });

  test("the worker does it", async () => {
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
