/** Plans that a connection of a worker made for an empty queue stay fast with many pending deliveries. */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type EndpointKey, makeDue, makeEndpoint } from "../support/endpoint-leases.ts";
import { logPlans, type Plan, plansOf, rowsOf } from "../support/plans.ts";
import { leaseDeliveries } from "../support/worker.ts";

const waiting = 400;

let db: TestDatabase;
const endpoints: EndpointKey[] = [];
beforeAll(async () => {
  db = await testDatabase();
  await logPlans(db);
  for (let each = 0; each < 4; each += 1) {
    endpoints.push(await makeEndpoint(db, (await makeOrganisation(db)).id));
  }
});
afterAll(() => db?.drop());

test("jobs.lease_deliveries reads few rows with an early generic plan, although many deliveries are pending", async () => {
  const requests = endpoints.map((endpoint) => ({ ...endpoint, wantsMore: true, requeue: false }));
  let leased = 0;
  const plans: Plan[] = await plansOf(db, "worker", "force_generic_plan", async (client) => {
    const unknown = crypto.randomUUID();
    const attempt = { durationMs: 5, statusCode: 200, failure: null, retryAfterSeconds: null };
    const outcome = { ...endpoints[0], deliveryId: unknown, leaseId: unknown, ...attempt };
    for (let planned = 0; planned < 2; planned += 1) await leaseDeliveries(client, requests, [outcome]);
    for (const endpoint of endpoints) await makeDue(db, endpoint, waiting);
    await client.query("commit; begin"); // deliveries are due by the time of the transaction
    const leases = await leaseDeliveries(client, requests);
    leased = leases.length;
    const organisationOf = new Map(endpoints.map(({ endpointId, organisationId }) => [endpointId, organisationId]));
    await leaseDeliveries(
      client,
      requests,
      leases.map((lease) => ({ ...lease, organisationId: organisationOf.get(lease.endpointId), ...attempt })),
    );
  });
  expect(leased).toBeGreaterThan(20);
  const maxRows = Math.max(...plans.map(({ reads }) => rowsOf(reads)));
  expect(maxRows).toBeGreaterThan(leased); // the plans were logged
  expect(maxRows).toBeLessThan(waiting * 2); // few rows for each lease; four times `waiting` are pending
});

test("jobs.lease_deliveries reads nothing of other endpoints if nothing is due at its own", async () => {
  const { id } = await makeOrganisation(db);
  const [busy, idle] = [await makeEndpoint(db, id), await makeEndpoint(db, id)];
  await makeDue(db, busy, waiting);
  for (const mode of ["force_generic_plan", "force_custom_plan"] as const) {
    const plans = await plansOf(db, "worker", mode, (client) =>
      leaseDeliveries(client, [{ ...idle, wantsMore: true, requeue: true }]),
    );
    expect(plans).not.toEqual([]);
    expect(Math.max(...plans.map(({ reads }) => rowsOf(reads)))).toBeLessThan(10);
  }
});
