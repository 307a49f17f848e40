/** Leases of a job that has no outcome to record yet. (docs/specification/deliveries.md#leasing) */
import type { Pool, PoolClient } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type EndpointKey, leaseDue, makeDue, makeEndpoint, record } from "../support/endpoint-leases.ts";
import { begun } from "../support/transactions.ts";
import { deliveryJobs } from "../support/worker.ts";

let db: TestDatabase;
let worker: Pool;

beforeEach(async () => {
  db = await testDatabase();
  worker = db.poolAs("worker", 2);
});
afterEach(() => db.drop());

const endpoint = async () => makeEndpoint(db, (await makeOrganisation(db)).id);

/** An endpoint with one due delivery. */
async function withDelivery(): Promise<EndpointKey & { id: string }> {
  const at = await endpoint();
  await makeDue(db, at, 1);
  const [due] = await db.sql<{ id: string }>("select id from app.deliveries where endpoint_id = $1", [at.endpointId]);
  return { ...at, id: due?.id ?? "" };
}

test("a lease lasts 12 seconds and carries what an attempt needs", async () => {
  const { id, ...at } = await withDelivery();
  const { rows } = await worker.query("select * from jobs.lease_deliveries($1, '[]', true)", [
    JSON.stringify([{ ...at, wantsMore: true, requeue: false }]),
  ]);
  const [row] = await db.sql<{ lease_id: string; lasts: number }>(
    "select lease_id, extract(epoch from lease_until - now())::float8 as lasts from app.deliveries",
  );
  expect(row?.lasts).toBeGreaterThan(5);
  expect(row?.lasts).toBeLessThanOrEqual(12);
  expect(rows).toEqual([
    {
      endpoint_id: at.endpointId,
      delivery_id: id,
      lease_id: row?.lease_id,
      url: "https://receiver.example/",
      secret_sealed: Buffer.from("sealed"),
      event: "webhook.test",
      body: expect.stringContaining(id),
      attempt: 1,
    },
  ]);
});

test.each<[string, (at: EndpointKey) => Promise<unknown>]>([
  [
    "the endpoint is paused",
    ({ endpointId }) => db.sql("update app.webhook_endpoints set state = 'paused' where id = $1", [endpointId]),
  ],
  ["the delivery is leased", (at) => leaseDue(worker, at)],
  ["the delivery waits for its retry", () => db.sql("update app.deliveries set next_attempt_at = now() + '1 minute'")],
  ["the delivery has ended", () => db.sql("update app.deliveries set state = 'failed', next_attempt_at = null")],
])("nothing is leased if %s", async (_name, alter) => {
  const at = await withDelivery();
  await alter(at);
  const before = await db.sql("select state, lease_id from app.deliveries");
  expect(await leaseDue(worker, at)).toEqual([]);
  expect(await db.sql("select state, lease_id from app.deliveries")).toEqual(before);
});

test("a delivery is not leased with the organisation of another endpoint", async () => {
  const [at, other] = [await endpoint(), await withDelivery()];
  expect(await leaseDue(worker, { ...other, organisationId: at.organisationId })).toEqual([]);
  expect(await leaseDue(worker, { ...at, organisationId: other.organisationId })).toEqual([]);
  expect(await leaseDue(worker, other)).toHaveLength(1);
});

test("an endpoint that a long transaction has locked does not delay others, and gets another job in a second", async () => {
  const [locked, other] = [await withDelivery(), await withDelivery()];
  await db.sql("delete from graphile_worker._private_jobs");
  const locker = await begun(db);
  await locker.query("select from app.webhook_endpoints where id = $1 for update", [locked.endpointId]);
  const leased = await leaseDue(worker, locked, other);
  expect(leased.map(({ deliveryId }) => deliveryId)).toEqual([other.id]);
  const [job, ...more] = await deliveryJobs(db, "run_at > now() - interval '1 minute'");
  expect([job?.endpoint, more]).toEqual([locked.endpointId, []]);
  expect(await leaseDue(worker, locked)).toEqual([]);
  await locker.query("rollback");
  expect(await leaseDue(worker, locked)).toHaveLength(1);
});

test("a transaction that only leases commits without a flush, one that records an outcome does not", async () => {
  const at = await withDelivery();
  const afterwards = async <T>(statement: (client: PoolClient) => Promise<T>): Promise<[T, string]> => {
    const client = await worker.connect();
    await client.query("begin; set local synchronous_commit = on");
    const result = await statement(client);
    const { rows } = await client.query("show synchronous_commit");
    await client.query("commit");
    client.release();
    return [result, rows[0]?.synchronous_commit];
  };
  const [[lease], flush] = await afterwards((client) => leaseDue(client, at));
  expect(flush).toBe("off");
  if (!lease) throw new Error("Nothing was leased.");
  const outcome = [[lease, { statusCode: 200 }]] as const;
  expect((await afterwards((client) => record(client, at.organisationId, outcome)))[1]).toBe("on");
  expect(await db.sql("select state from app.deliveries")).toEqual([{ state: "delivered" }]);
});

test("a delivery without a job gets one once it is due for 5 seconds", async () => {
  await withDelivery();
  await db.sql("delete from graphile_worker._private_jobs");
  const due = (seconds: number) =>
    db.sql(`update app.deliveries set next_attempt_at = now() - interval '${seconds} seconds'`);
  await due(2);
  await db.sql("select jobs.run_maintenance()");
  expect(await deliveryJobs(db)).toEqual([]);
  await due(6);
  await db.sql("select jobs.run_maintenance()");
  expect(await deliveryJobs(db)).toHaveLength(1);
});
