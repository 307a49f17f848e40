/** Shares of endpoints and organisations, counted by their current leases. */
import type { Pool } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type EndpointKey, leaseDue, makeDue, makeEndpoint, record } from "../support/endpoint-leases.ts";
import { begun } from "../support/transactions.ts";
import type { Step } from "../support/worker.ts";

let db: TestDatabase;
let worker: Pool;

beforeEach(async () => {
  db = await testDatabase();
  worker = db.poolAs("worker", 8);
});
afterEach(() => db.drop());

/** Endpoints of one organisation, each with due deliveries. */
async function endpoints(count: number, due: number): Promise<EndpointKey[]> {
  const { id } = await makeOrganisation(db);
  const made: EndpointKey[] = [];
  for (let each = 0; each < count; each += 1) {
    const endpoint = await makeEndpoint(db, id);
    await makeDue(db, endpoint, due);
    made.push(endpoint);
  }
  return made;
}

const shares = (setting: string) => db.sql(`update app.service_settings set ${setting}`);

const degrade = ({ endpointId }: EndpointKey) =>
  db.sql("update app.webhook_endpoints set degraded_since = now() where id = $1", [endpointId]);

function perEndpoint(leases: Step[]): number[] {
  const counts = new Map<string, number>();
  for (const { endpointId } of leases) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => b - a);
}

test("an endpoint has at most ten leases, oldest delivery first, and gets another for each that ends", async () => {
  const [endpoint] = (await endpoints(1, 15)) as [EndpointKey];
  const first = await leaseDue(worker, endpoint);
  const oldest = await db.sql<{ id: string }>("select id from app.deliveries order by next_attempt_at, id limit 10");
  expect(first.map(({ deliveryId }) => deliveryId).sort()).toEqual(oldest.map(({ id }) => id));
  expect(await leaseDue(worker, endpoint)).toEqual([]);
  await record(worker, endpoint.organisationId, [[first[0] as Step, { statusCode: 200 }]]);
  expect(await leaseDue(worker, endpoint)).toHaveLength(1);
});

test("concurrent workers lease ten deliveries of an endpoint together, and none twice", async () => {
  const [endpoint] = (await endpoints(1, 40)) as [EndpointKey];
  const leases = (await Promise.all(Array.from({ length: 8 }, () => leaseDue(worker, endpoint)))).flat();
  expect(leases).toHaveLength(10);
  expect(new Set(leases.map(({ deliveryId }) => deliveryId)).size).toBe(10);
});

test("leasing several endpoints in opposite orders causes no deadlock", async () => {
  const all = await endpoints(6, 200);
  const rounds = Array.from({ length: 40 }, async (_, round) => {
    const leases = await leaseDue(worker, ...(round % 2 === 0 ? all : all.toReversed()));
    const outcomes = leases.map((lease) => [lease, { statusCode: 200 }] as const);
    await record(worker, all[0]?.organisationId ?? "", round % 2 === 0 ? outcomes : outcomes.toReversed());
    return leases;
  });
  const leases = (await Promise.all(rounds)).flat();
  expect(new Set(leases.map(({ deliveryId }) => deliveryId)).size).toBe(leases.length);
});

test("a degraded endpoint has one lease, and its full share again after a success", async () => {
  const [endpoint] = (await endpoints(1, 30)) as [EndpointKey];
  await degrade(endpoint);
  const [only, ...others] = await leaseDue(worker, endpoint);
  expect(others).toEqual([]);
  await record(worker, endpoint.organisationId, [[only as Step, { statusCode: 500 }]]);
  const [second, ...more] = await leaseDue(worker, endpoint);
  expect(more).toEqual([]);
  await record(worker, endpoint.organisationId, [[second as Step, { statusCode: 200 }]]);
  expect(await leaseDue(worker, endpoint)).toHaveLength(10);
});

test("an organisation has forty leases, plus one at each endpoint without a lease", async () => {
  const all = await endpoints(6, 10);
  const leases = await leaseDue(worker, ...all.slice(0, 5));
  expect(leases).toHaveLength(40);
  expect(perEndpoint(leases)).toHaveLength(5); // round-robin over all endpoints
  expect(perEndpoint(await leaseDue(worker, ...all))).toEqual([1]);
  const [other] = (await endpoints(1, 10)) as [EndpointKey];
  expect(await leaseDue(worker, other)).toHaveLength(10);
});

test("the last quarter of the slots is reserved for endpoints without a lease", async () => {
  await shares("delivery_slots = 16");
  const [one, two] = [(await endpoints(1, 20)) as [EndpointKey], (await endpoints(1, 20)) as [EndpointKey]];
  expect(await leaseDue(worker, ...one)).toHaveLength(10);
  expect(await leaseDue(worker, ...two)).toHaveLength(2); // twelve of sixteen
  for (let each = 0; each < 3; each += 1) {
    expect(await leaseDue(worker, ...(await endpoints(1, 5)))).toHaveLength(1);
  }
});

test("all degraded endpoints together have half of the slots, and do not delay others", async () => {
  await shares("delivery_slots = 8");
  const degraded = [...(await endpoints(3, 5)), ...(await endpoints(3, 5))];
  for (const endpoint of degraded) await degrade(endpoint);
  expect(await leaseDue(worker, ...degraded)).toHaveLength(4);
  expect(await leaseDue(worker, ...degraded)).toEqual([]);
  expect(await leaseDue(worker, ...(await endpoints(1, 5)))).not.toEqual([]);
});

test("an expired lease is invalid and counts for no share", async () => {
  const [endpoint] = (await endpoints(1, 10)) as [EndpointKey];
  const lost = await leaseDue(worker, endpoint);
  await db.sql("update app.deliveries set lease_until = now() - interval '1 second'");
  const again = await leaseDue(worker, endpoint);
  expect(again.map(({ deliveryId }) => deliveryId).sort()).toEqual(lost.map(({ deliveryId }) => deliveryId).sort());
  // A late outcome is ignored.
  await record(worker, endpoint.organisationId, [[lost[0] as Step, { statusCode: 200 }]]);
  expect(await db.sql("select from app.delivery_attempts")).toEqual([]);
});

const queued = async ({ endpointId }: EndpointKey) =>
  (await db.sql("select from graphile_worker._private_jobs where payload ->> 'endpointId' = $1", [endpointId])).length;

test("a delivery queues no job if twenty older ones are due, and each of those twenty queues one", async () => {
  const [endpoint] = (await endpoints(1, 0)) as [EndpointKey];
  for (let each = 0; each < 22; each += 1) await makeDue(db, endpoint, 1);
  expect(await queued(endpoint)).toBe(20);
});

test("one transaction queues one job per endpoint, independent of concurrent transactions", async () => {
  const [one, other] = (await endpoints(2, 0)) as [EndpointKey, EndpointKey];
  const deliver = `
    with event as (insert into app.events (organisation_id, kind, data) values ($1, 'webhook.test', '{}') returning id)
    insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
    select $1, endpoint, event.id, 'webhook.test' from event, unnest($2::uuid[]) endpoint, generate_series(1, 15)`;
  const values = [one.organisationId, [one.endpointId, other.endpointId]];
  const first = await begun(db);
  await first.query(deliver, values);
  await db.sql(deliver, values); // begins later, commits earlier
  await first.query("commit");
  expect([await queued(one), await queued(other)]).toEqual([2, 2]);
  // Redelivering several in one transaction, in another order, also queues one job.
  await db.sql("update app.deliveries set state = 'failed', next_attempt_at = null where endpoint_id = $1", [
    one.endpointId,
  ]);
  await db.sql("update app.deliveries set state = 'pending' where endpoint_id = $1", [one.endpointId]);
  expect(await queued(one)).toBe(3);
});
