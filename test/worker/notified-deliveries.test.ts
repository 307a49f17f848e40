/** Deliveries that a worker is notified of, in place of a job: which they are, and which of them it leases. */
import type { Pool, PoolClient } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type EndpointKey, leaseDue, makeDue, makeEndpoint, record } from "../support/endpoint-leases.ts";
import { begun } from "../support/transactions.ts";
import { deliveryJobs, eventually, type Step } from "../support/worker.ts";

let db: TestDatabase;
let worker: Pool;
let listener: PoolClient;
let notifications: string[];

beforeEach(async () => {
  db = await testDatabase();
  worker = db.poolAs("worker", 8);
  notifications = [];
  listener = await listen("one");
});
afterEach(async () => {
  listener.release(true);
  await db.drop();
});

async function listen(name: string): Promise<PoolClient> {
  const client = await worker.connect();
  client.on("error", () => {});
  client.on("notification", ({ payload = "" }) => notifications.push(payload));
  await client.query(`listen deliveries_${name}`);
  await client.query("select jobs.register_worker_pool($1, $2)", [name, `deliveries_${name}`]);
  return client;
}

const endpoint = async () => makeEndpoint(db, (await makeOrganisation(db)).id);

/** What the listener has, including notifications of transactions that have just committed. */
async function notified(): Promise<string[]> {
  await listener.query("select 1");
  return notifications.splice(0);
}

const ids = async ({ endpointId }: EndpointKey) =>
  (await db.sql<{ id: string }>("select id from app.deliveries where endpoint_id = $1 order by id", [endpointId])).map(
    ({ id }) => id,
  );

const payload = async (at: EndpointKey) => `${at.organisationId} ${at.endpointId} ${(await ids(at))[0]}`;

async function lease(...at: EndpointKey[]): Promise<string[]> {
  const deliveries = await Promise.all(at.map(async (each) => (await ids(each))[0]));
  const { rows } = await worker.query<{ id: string }>(
    "select delivery_id as id from jobs.lease_notified_deliveries($1, $2, $3)",
    [at.map(({ organisationId }) => organisationId), at.map(({ endpointId }) => endpointId), deliveries],
  );
  return rows.map(({ id }) => id);
}

const change = (at: EndpointKey, set: string) =>
  db.sql(`update app.webhook_endpoints set ${set} where id = $1`, [at.endpointId]);

describe("notifications", () => {
  test("the first delivery to an idle endpoint notifies the worker and queues no job, the second queues one", async () => {
    const at = await endpoint();
    await makeDue(db, at, 1);
    expect([await notified(), await deliveryJobs(db)]).toEqual([[await payload(at)], []]);
    await makeDue(db, at, 1);
    expect([await notified(), (await deliveryJobs(db)).length]).toEqual([[], 1]);
  });

  test("a transaction with several deliveries to one endpoint notifies once", async () => {
    const at = await endpoint();
    await makeDue(db, at, 15);
    expect([(await notified()).length, await deliveryJobs(db)]).toEqual([1, []]);
  });

  test("of two workers one is notified, and the same worker for each delivery of an endpoint", async () => {
    const other = await listen("two");
    const channels = async () => {
      await other.query("select 1");
      return (await notified()).length;
    };
    const at = await endpoint();
    for (let each = 0; each < 3; each += 1) {
      await makeDue(db, at, 1);
      expect(await channels()).toBe(1);
      await db.sql("update app.deliveries set state = 'failed', next_attempt_at = null");
    }
    const others = await Promise.all(Array.from({ length: 20 }, endpoint));
    const own: string[] = [];
    other.on("notification", ({ payload: text = "" }) => own.push(text));
    for (const each of others) await makeDue(db, each, 1);
    expect(await channels()).toBe(20);
    expect(own.length).toBeGreaterThan(0);
    expect(own.length).toBeLessThan(20);
    other.release(true);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "has not registered again for 25 seconds, as one that hangs",
      () => db.sql("update app.worker_pools set notified_until = notified_until - interval '25 seconds'"),
    ],
    [
      "registered without a channel, as a stopping one",
      () => listener.query("select jobs.register_worker_pool('one')"),
    ],
  ])("a worker that %s is not notified, and the delivery gets a job", async (_name, end) => {
    await end();
    await makeDue(db, await endpoint(), 1);
    expect([await notified(), (await deliveryJobs(db)).length]).toEqual([[], 1]);
  });

  test("maintenance queues a job at once for a delivery whose notified worker is gone", async () => {
    const at = await endpoint();
    await makeDue(db, at, 1);
    const { rows } = await listener.query<{ pid: number }>("select pg_backend_pid() as pid");
    await db.sql("select jobs.run_maintenance()");
    expect(await deliveryJobs(db)).toEqual([]); // the worker may be about to lease it
    await db.sql("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await eventually(
      async () => (await db.sql("select from pg_stat_activity where pid = $1", [rows[0]?.pid])).length === 0,
    );
    await db.sql("select jobs.run_maintenance()");
    expect((await deliveryJobs(db)).map((job) => job.endpoint)).toEqual([at.endpointId]);
    expect(await db.sql("select from app.worker_pools")).toEqual([]);
  });

  test("a worker that registers on a new connection queues what the lost one was notified of, at once", async () => {
    const at = await endpoint();
    await makeDue(db, at, 1);
    await listener.query("select jobs.register_worker_pool('one', 'deliveries_one')");
    expect(await deliveryJobs(db)).toEqual([]); // the same connection
    (await listen("one")).release(true);
    expect((await deliveryJobs(db)).map((job) => job.endpoint)).toEqual([at.endpointId]);
  });

  test("a lost notification of a worker that stays connected is found once the delivery is due for 5 seconds", async () => {
    const at = await endpoint();
    await makeDue(db, at, 1);
    const due = (seconds: number) =>
      db.sql(`update app.deliveries set next_attempt_at = now() - interval '${seconds} seconds'`);
    await due(2);
    await db.sql("select jobs.run_maintenance()");
    expect(await deliveryJobs(db)).toEqual([]);
    await due(6);
    await db.sql("select jobs.run_maintenance()");
    expect(await deliveryJobs(db)).toHaveLength(1);
  });

  test("no login of a process can read the channel", async () => {
    for (const role of ["worker", "server", "runner", "operator"] as const) {
      await expect(db.poolAs(role, 1).query("select delivery_channel from app.worker_pools")).rejects.toThrow(
        /permission denied/,
      );
    }
  });
});

describe("leases", () => {
  test("concurrent workers lease a notified delivery once", async () => {
    const at = await endpoint();
    await makeDue(db, at, 1);
    const leases = await Promise.all([
      ...Array.from({ length: 5 }, () => lease(at)),
      leaseDue(worker, at).then((steps) => steps.map(({ deliveryId }) => deliveryId)),
    ]);
    expect(leases.flat()).toEqual(await ids(at));
  });

  test("a lease lasts 12 seconds and carries what an attempt needs", async () => {
    const at = await endpoint();
    await makeDue(db, at, 1);
    const { rows } = await worker.query("select * from jobs.lease_notified_deliveries($1, $2, $3)", [
      [at.organisationId],
      [at.endpointId],
      await ids(at),
    ]);
    const [row] = await db.sql<{ lease_id: string; lasts: number }>(
      "select lease_id, extract(epoch from lease_until - now())::float8 as lasts from app.deliveries",
    );
    expect(row?.lasts).toBeGreaterThan(5);
    expect(row?.lasts).toBeLessThanOrEqual(12);
    expect(rows).toEqual([
      {
        delivery_id: (await ids(at))[0],
        lease_id: row?.lease_id,
        url: "https://receiver.example/",
        secret_sealed: Buffer.from("sealed"),
        event: "webhook.test",
        body: expect.stringContaining((await ids(at))[0] ?? "no delivery"),
        attempt: 1,
      },
    ]);
  });

  test.each<[string, (at: EndpointKey) => Promise<unknown>]>([
    ["another delivery is due", (at) => makeDue(db, at, 1)],
    ["the endpoint is degraded", (at) => change(at, "degraded_since = now()")],
    ["the endpoint is paused", (at) => change(at, "state = 'paused'")],
    ["the endpoint is deleted", (at) => change(at, "deleted_at = now()")],
    ["the delivery is leased", (at) => leaseDue(worker, at)],
    [
      "the delivery waits for its retry",
      () => db.sql("update app.deliveries set next_attempt_at = now() + '1 minute'"),
    ],
    ["the delivery has ended", () => db.sql("update app.deliveries set state = 'failed', next_attempt_at = null")],
  ])("nothing is leased if %s", async (_name, alter) => {
    const at = await endpoint();
    await makeDue(db, at, 1);
    await alter(at);
    const before = await db.sql("select id, state, lease_id from app.deliveries order by id");
    expect(await lease(at)).toEqual([]);
    expect(await db.sql("select id, state, lease_id from app.deliveries order by id")).toEqual(before);
  });

  test("a delivery of another endpoint or organisation is not leased under this one", async () => {
    const [at, other] = [await endpoint(), await endpoint()];
    await makeDue(db, other, 1);
    const [id] = await ids(other);
    for (const [organisation, of] of [
      [at.organisationId, at.endpointId],
      [at.organisationId, other.endpointId],
      [other.organisationId, at.endpointId],
    ]) {
      const values = [[organisation], [of], [id]];
      expect((await worker.query("select from jobs.lease_notified_deliveries($1, $2, $3)", values)).rowCount).toBe(0);
    }
  });

  test("a locked endpoint does not delay the notified deliveries of others", async () => {
    const [at, other] = [await endpoint(), await endpoint()];
    await makeDue(db, at, 1);
    await makeDue(db, other, 1);
    const locker = await begun(db);
    await locker.query("select from app.webhook_endpoints where id = $1 for update", [at.endpointId]);
    expect(await lease(at, other)).toEqual(await ids(other));
    await locker.query("rollback");
  });

  test("a transaction that only leases commits without a flush, one that records an outcome does not", async () => {
    const at = await endpoint();
    await makeDue(db, at, 1);
    const afterwards = async (statement: (client: PoolClient) => Promise<unknown>) => {
      const client = await worker.connect();
      await client.query("begin; set local synchronous_commit = on");
      await statement(client);
      const { rows } = await client.query("show synchronous_commit");
      await client.query("commit");
      client.release();
      return rows[0]?.synchronous_commit;
    };
    const values = [[at.organisationId], [at.endpointId], await ids(at)];
    const notice = (client: PoolClient) =>
      client.query("select from jobs.lease_notified_deliveries($1, $2, $3)", values);
    expect(await afterwards(notice)).toBe("off");
    expect(await afterwards((client) => leaseDue(client, at))).toBe("off");
    const [step] = await db.sql<Step>(
      `select id as "deliveryId", lease_id as "leaseId", endpoint_id as "endpointId" from app.deliveries`,
    );
    const outcome = [[step as Step, { statusCode: 200 }]] as const;
    expect(await afterwards((client) => record(client, at.organisationId, outcome))).toBe("on");
    expect(await db.sql("select state from app.deliveries")).toEqual([{ state: "delivered" }]);
  });
});
