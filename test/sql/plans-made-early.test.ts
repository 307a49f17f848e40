/** Plans that a worker's connection made while nothing waited serve it when thousands do, until statistics are taken anew. */
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type Plan, plansOf, tellPlans } from "../support/plans.ts";
import { makeDue, makeEndpoint, type Visited } from "../support/visits.ts";
import { attend } from "../support/worker.ts";

const waiting = 400;

let db: TestDatabase;
const endpoints: Visited[] = [];
beforeAll(async () => {
  db = await testDatabase();
  await tellPlans(db);
  for (let each = 0; each < 4; each += 1) {
    endpoints.push(await makeEndpoint(db, (await makeOrganisation(db)).id));
  }
});
afterAll(() => db?.drop());

test("claims and outcomes are found by their keys, however many wait", async () => {
  const visits = endpoints.map((endpoint) => ({ ...endpoint, more: true, handOver: false }));
  let claimed = 0;
  const plans: Plan[] = await plansOf(db, "worker", "force_generic_plan", async (client) => {
    const nobodys = crypto.randomUUID();
    const made = { durationMs: 5, statusCode: 200, failure: null, retryAfterSeconds: null };
    const outcome = { ...endpoints[0], deliveryId: nobodys, claimId: nobodys, ...made };
    for (let planned = 0; planned < 2; planned += 1) await attend(client, visits, [outcome]);
    for (const endpoint of endpoints) await makeDue(db, endpoint, waiting);
    await client.query("commit; begin"); // what is due is so by the time of the transaction
    const claims = await attend(client, visits);
    claimed = claims.length;
    const organisationOf = new Map(endpoints.map(({ endpointId, organisationId }) => [endpointId, organisationId]));
    await attend(
      client,
      visits,
      claims.map((claim) => ({ ...claim, organisationId: organisationOf.get(claim.endpointId), ...made })),
    );
  });
  expect(claimed).toBeGreaterThan(20);
  const most = Math.max(...plans.map(({ rows }) => rows));
  expect(most).toBeGreaterThan(claimed); // it was told what was read
  expect(most).toBeLessThan(waiting * 2); // some rows for each claim, of the four times so many that wait
});
