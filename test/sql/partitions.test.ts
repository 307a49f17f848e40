/** jobs.drop_partition: drops the partitions whose rows are older than the retention. */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { leaseDue, record } from "../support/endpoint-leases.ts";
import { announce, dropAll, families, leftOf, writeAged } from "../support/partitions.ts";
import { begun } from "../support/transactions.ts";
import { eventually, type Step, testWorker } from "../support/worker.ts";

let db: TestDatabase;
let organisation: string;

beforeEach(async () => {
  db = await testDatabase();
  organisation = (await makeOrganisation(db)).id;
});

afterEach(() => db.drop());

/** Without results of steps, whose weeks are dropped earlier. */
const dropFamilies = async () => (await dropAll(db)).filter((name) => !name.startsWith("step_results_"));

describe("dropping old weeks", () => {
  test("drops a week when its youngest row is older than the retention, 30 days by default", async () => {
    const old = await writeAged(db, organisation, "38 days");
    const young = await writeAged(db, organisation, "29 days");
    expect(await dropFamilies()).toHaveLength(4);
    expect(await leftOf(db, old)).toEqual({ events: 0, deliveries: 0, attempts: 0, counts: 0 });
    expect(await leftOf(db, young)).toEqual({ events: 1, deliveries: 1, attempts: 1, counts: 1 });

    await db.sql("update app.service_settings set delivery_retention = '1 day'");
    await dropAll(db);
    expect(await leftOf(db, young)).toEqual({ events: 0, deliveries: 0, attempts: 0, counts: 0 });
    expect(await announce(db, organisation)).toHaveLength(1); // this week is never dropped
  });

  test("refuses a delivery_retention of less than a day", async () => {
    await expect(db.sql("update app.service_settings set delivery_retention = '23 hours'")).rejects.toMatchObject({
      constraint: "service_settings_delivery_retention_check",
    });
  });

  test("keeps a week of events while a delivery refers to it", async () => {
    const late = await writeAged(db, organisation, "50 days", "20 days");
    await dropAll(db);
    expect(await leftOf(db, late)).toEqual({ events: 1, deliveries: 1, attempts: 1, counts: 1 });
    await db.sql("update app.service_settings set delivery_retention = '10 days'");
    expect((await dropAll(db)).map((name) => name.replace(/_\d+$/, ""))).toEqual(expect.arrayContaining([...families]));
    expect(await leftOf(db, late)).toEqual({ events: 0, deliveries: 0, attempts: 0, counts: 0 });
  });

  test("drops pending deliveries of a paused endpoint with their week", async () => {
    const waiting = await writeAged(db, organisation, "38 days");
    await db.sql("update app.webhook_endpoints set state = 'paused'");
    expect(await db.sql("select state from app.deliveries")).toEqual([{ state: "pending" }]);
    await dropAll(db);
    expect(await leftOf(db, waiting)).toEqual({ events: 0, deliveries: 0, attempts: 0, counts: 0 });
  });

  test("does not interrupt a reader, and drops the week later", async () => {
    const old = await writeAged(db, organisation, "38 days");
    const reader = await begun(db);
    await reader.query("select from app.delivery_attempts");
    expect(await dropAll(db)).toEqual([]);
    expect(await leftOf(db, old)).toEqual({ events: 1, deliveries: 1, attempts: 1, counts: 1 });
    await reader.query("commit");
    expect(await dropFamilies()).toHaveLength(4);
  });

  test("keeps a week of attempts as long as its deliveries, so that a redelivery is recorded", async () => {
    const old = await writeAged(db, organisation, "38 days");
    const young = await writeAged(db, organisation, "0 days");
    await db.sql("update app.deliveries set state = 'failed', attempts = 1, next_attempt_at = null");
    const reader = await begun(db);
    await reader.query(`select from app.deliveries where id = '${young.delivery}'`); // this week's, which is kept
    expect(await dropAll(db)).toEqual([]);
    expect(await leftOf(db, old)).toEqual({ events: 1, deliveries: 1, attempts: 1, counts: 1 });
    await db.sql("update app.deliveries set state = 'pending' where id = $1", [old.delivery]); // as api.redeliver does
    const worker = db.poolAs("worker", 1);
    const [lease, ...others] = await leaseDue(worker, { organisationId: organisation, endpointId: old.endpoint });
    expect([lease?.deliveryId, others]).toEqual([old.delivery, []]);
    await record(worker, organisation, [[lease as Step, { statusCode: 200 }]]);
    expect(await db.sql("select state, attempts from app.deliveries where id = $1", [old.delivery])).toEqual([
      { state: "delivered", attempts: 2 },
    ]);
    expect(await leftOf(db, old)).toEqual({ events: 1, deliveries: 1, attempts: 2, counts: 1 });
    await reader.query("commit");
    expect(await dropFamilies()).toHaveLength(4);
    expect(await leftOf(db, old)).toEqual({ events: 0, deliveries: 0, attempts: 0, counts: 0 });
  });

  test("does not interrupt a reader of attempts and then deliveries, because the lock time-out of 0.5 s covers both", async () => {
    const old = await writeAged(db, organisation, "38 days");
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
    expect(await dropFamilies()).toHaveLength(4);
  });

  test("keeps the week of an old event for which a delivery is being inserted", async () => {
    const { event } = await writeAged(db, organisation, "38 days");
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
    const old = await writeAged(db, organisation, "38 days");
    const worker = await testWorker(db);
    try {
      await eventually(async () => (await leftOf(db, old)).events === 0);
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
    await writeAged(db, organisation, "0");
    await expect(db.sql(statement)).rejects.toMatchObject({ code: "23001" });
  });
});
