/** Who is given how much at once: shares of endpoints and organisations, counted by the claims under way. */
import { Client, type Pool } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { makeDue, makeEndpoint, record, type Visited, visit } from "../support/visits.ts";
import type { Step } from "../support/worker.ts";

let db: TestDatabase;
let worker: Pool;

beforeEach(async () => {
  db = await testDatabase();
  worker = db.poolAs("worker", 8);
});
afterEach(() => db.drop());

/** Endpoints of one organisation, each with so many due. */
async function endpoints(count: number, due: number): Promise<Visited[]> {
  const { id } = await makeOrganisation(db);
  const made: Visited[] = [];
  for (let each = 0; each < count; each += 1) {
    const endpoint = await makeEndpoint(db, id);
    await makeDue(db, endpoint, due);
    made.push(endpoint);
  }
  return made;
}

const shares = (setting: string) => db.sql(`update app.service_settings set ${setting}`);

const trouble = ({ endpointId }: Visited) =>
  db.sql("update app.webhook_endpoints set troubled_since = now() where id = $1", [endpointId]);

function perEndpoint(claims: Step[]): number[] {
  const counts = new Map<string, number>();
  for (const { endpointId } of claims) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => b - a);
}

test("an endpoint has ten under way, the oldest first, and another for each that ends", async () => {
  const [endpoint] = (await endpoints(1, 15)) as [Visited];
  const first = await visit(worker, endpoint);
  const oldest = await db.sql<{ id: string }>("select id from app.deliveries order by next_attempt_at, id limit 10");
  expect(first.map(({ deliveryId }) => deliveryId).sort()).toEqual(oldest.map(({ id }) => id));
  expect(await visit(worker, endpoint)).toEqual([]);
  await record(worker, endpoint.organisationId, [[first[0] as Step, { statusCode: 200 }]]);
  expect(await visit(worker, endpoint)).toHaveLength(1);
});

test("visits that race on real connections are given ten together, and none twice", async () => {
  const [endpoint] = (await endpoints(1, 40)) as [Visited];
  const claims = (await Promise.all(Array.from({ length: 8 }, () => visit(worker, endpoint)))).flat();
  expect(claims).toHaveLength(10);
  expect(new Set(claims.map(({ deliveryId }) => deliveryId)).size).toBe(10);
});

test("visits to several endpoints in opposite orders never wait for each other in a circle", async () => {
  const all = await endpoints(6, 200);
  const rounds = Array.from({ length: 40 }, async (_, round) => {
    const claims = await visit(worker, ...(round % 2 === 0 ? all : all.toReversed()));
    const outcomes = claims.map((claim) => [claim, { statusCode: 200 }] as const);
    await record(worker, all[0]?.organisationId ?? "", round % 2 === 0 ? outcomes : outcomes.toReversed());
    return claims;
  });
  const claims = (await Promise.all(rounds)).flat();
  expect(new Set(claims.map(({ deliveryId }) => deliveryId)).size).toBe(claims.length);
});

test("an endpoint in trouble has one, and its full share again once it delivers", async () => {
  const [endpoint] = (await endpoints(1, 30)) as [Visited];
  await trouble(endpoint);
  const [only, ...others] = await visit(worker, endpoint);
  expect(others).toEqual([]);
  await record(worker, endpoint.organisationId, [[only as Step, { statusCode: 500 }]]);
  const [second, ...more] = await visit(worker, endpoint);
  expect(more).toEqual([]);
  await record(worker, endpoint.organisationId, [[second as Step, { statusCode: 200 }]]);
  expect(await visit(worker, endpoint)).toHaveLength(10);
});

test("an organisation has forty, and one more at each endpoint where nothing is under way", async () => {
  const all = await endpoints(6, 10);
  const claims = await visit(worker, ...all.slice(0, 5));
  expect(claims).toHaveLength(40);
  expect(perEndpoint(claims)).toHaveLength(5); // in turns: none is left out for another's tenth
  expect(perEndpoint(await visit(worker, ...all))).toEqual([1]);
  const [other] = (await endpoints(1, 10)) as [Visited];
  expect(await visit(worker, other)).toHaveLength(10);
});

test("the last quarter of the service's slots is for endpoints at which nothing is under way", async () => {
  await shares("delivery_slots = 16");
  const [one, two] = [(await endpoints(1, 20)) as [Visited], (await endpoints(1, 20)) as [Visited]];
  expect(await visit(worker, ...one)).toHaveLength(10);
  expect(await visit(worker, ...two)).toHaveLength(2); // twelve of sixteen
  for (let each = 0; each < 3; each += 1) {
    expect(await visit(worker, ...(await endpoints(1, 5)))).toHaveLength(1);
  }
});

test("all endpoints in trouble have half of the service together; others are not held up by them", async () => {
  await shares("delivery_slots = 8");
  const troubled = [...(await endpoints(3, 5)), ...(await endpoints(3, 5))];
  for (const endpoint of troubled) await trouble(endpoint);
  expect(await visit(worker, ...troubled)).toHaveLength(4);
  expect(await visit(worker, ...troubled)).toEqual([]);
  expect(await visit(worker, ...(await endpoints(1, 5)))).not.toEqual([]);
});

test("a claim that has lapsed is nobody's, and counts for no share", async () => {
  const [endpoint] = (await endpoints(1, 10)) as [Visited];
  const lost = await visit(worker, endpoint);
  await db.sql("update app.deliveries set claimed_until = now() - interval '1 second'");
  const again = await visit(worker, endpoint);
  expect(again.map(({ deliveryId }) => deliveryId).sort()).toEqual(lost.map(({ deliveryId }) => deliveryId).sort());
  // Who comes too late says nothing.
  await record(worker, endpoint.organisationId, [[lost[0] as Step, { statusCode: 200 }]]);
  expect(await db.sql("select from app.delivery_attempts")).toEqual([]);
});

const queued = async ({ endpointId }: Visited) =>
  (await db.sql("select from graphile_worker._private_jobs where payload ->> 'endpointId' = $1", [endpointId])).length;

test("beyond twenty that are due before it a delivery queues no visit, and each of the twenty does", async () => {
  const [endpoint] = (await endpoints(1, 0)) as [Visited];
  for (let each = 0; each < 22; each += 1) await makeDue(db, endpoint, 1);
  expect(await queued(endpoint)).toBe(20);
});

test("what one transaction writes for an endpoint queues one visit, beside what others write at the same time", async () => {
  const [one, other] = (await endpoints(2, 0)) as [Visited, Visited];
  const deliver = `
    with event as (insert into app.events (organisation_id, kind, data) values ($1, 'webhook.test', '{}') returning id)
    insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
    select $1, endpoint, event.id, 'webhook.test' from event, unnest($2::uuid[]) endpoint, generate_series(1, 15)`;
  const values = [one.organisationId, [one.endpointId, other.endpointId]];
  const first = new Client({ connectionString: db.adminUrl });
  await first.connect();
  await first.query("begin");
  await first.query(deliver, values);
  await db.sql(deliver, values); // begins later, and commits before
  await first.query("commit");
  await first.end();
  expect([await queued(one), await queued(other)]).toEqual([2, 2]);
  // Sent anew together, in another order than that of their ids, they are one transaction's as well.
  await db.sql("update app.deliveries set state = 'failed', next_attempt_at = null where endpoint_id = $1", [
    one.endpointId,
  ]);
  await db.sql("update app.deliveries set state = 'pending' where endpoint_id = $1", [one.endpointId]);
  expect(await queued(one)).toBe(3);
});
