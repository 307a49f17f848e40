/** Outcomes of many attempts in one statement are recorded as if each had come by itself. (Part 6, "Delivery rules".) */
import type { Pool } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type Answer, makeDue, makeEndpoint, record, type Visited, visit } from "../support/visits.ts";
import type { Step } from "../support/worker.ts";

let db: TestDatabase;
let worker: Pool;

beforeAll(async () => {
  db = await testDatabase();
  worker = db.poolAs("worker", 8);
  await db.sql("update app.service_settings set delivery_share_of_endpoint = 30");
});
afterAll(() => db.drop());

const ok: Answer = { statusCode: 200 };
const bad: Answer = { statusCode: 500 };

/** An endpoint whose deliveries have that many attempts, and claims for so many of them. */
async function place(claims: number, maxAttempts = 1): Promise<{ at: Visited; claims: Step[] }> {
  await db.sql("update app.service_settings set delivery_max_attempts = $1", [maxAttempts]);
  const at = await makeEndpoint(db, (await makeOrganisation(db)).id);
  await makeDue(db, at, claims);
  return { at, claims: await visit(worker, at) };
}

const endpoint = async ({ endpointId }: Visited) =>
  (
    await db.sql<{ state: string; reason: string; failures: number; troubled: boolean; delivered: boolean }>(
      `select state, disabled_reason as reason, consecutive_failures as failures, troubled_since is not null as troubled,
         last_delivery_at is not null as delivered
       from app.webhook_endpoints where id = $1`,
      [endpointId],
    )
  )[0];

const states = async ({ endpointId }: Visited) =>
  (
    await db.sql<{ state: string }>("select state from app.deliveries where endpoint_id = $1 order by id", [endpointId])
  ).map(({ state }) => state);

const active = { state: "active", reason: null };
const disabled = { state: "disabled", reason: "consecutive_failures" };

test.each<[string, Answer[], object]>([
  ["nine that fail", Array(9).fill(bad), { ...active, failures: 9, troubled: true, delivered: false }],
  ["ten that fail", Array(10).fill(bad), { ...disabled, failures: 10, troubled: true }],
  [
    "one delivered among them",
    [...Array(6).fill(bad), ok, ...Array(4).fill(bad)],
    { ...active, failures: 4, troubled: true, delivered: true },
  ],
  [
    "one delivered at the end",
    [...Array(9).fill(bad), ok],
    { ...active, failures: 0, troubled: false, delivered: true },
  ],
  ["ten between two delivered", [ok, ...Array(10).fill(bad), ok], { ...disabled, failures: 0, troubled: false }],
  ["ten after one delivered", [ok, ...Array(10).fill(bad)], { ...disabled, failures: 10, troubled: true }],
])("failed deliveries in a row are counted in the order of the batch: %s", async (_name, answers, expected) => {
  const { at, claims } = await place(answers.length);
  await record(
    worker,
    at.organisationId,
    claims.map((claim, n) => [claim, answers[n] as Answer]),
  );
  expect(await endpoint(at)).toMatchObject(expected);
});

test("a row of failures goes on from one batch to the next", async () => {
  const { at, claims } = await place(10);
  await record(
    worker,
    at.organisationId,
    claims.slice(0, 6).map((claim) => [claim, bad]),
  );
  await record(
    worker,
    at.organisationId,
    claims.slice(6).map((claim) => [claim, bad]),
  );
  expect(await endpoint(at)).toMatchObject(disabled);
});

test("a batch that is said twice, as after an outage, is recorded once", async () => {
  const { at, claims } = await place(4, 5);
  const outcomes = claims.map((claim, n) => [claim, n % 2 === 0 ? ok : bad] as const);
  await Promise.all(Array.from({ length: 4 }, () => record(worker, at.organisationId, outcomes)));
  expect(await states(at)).toEqual(["delivered", "pending", "delivered", "pending"]);
  const attempts = await db.sql("select from app.delivery_attempts where endpoint_id = $1", [at.endpointId]);
  expect(attempts).toHaveLength(4);
});

test("an outcome under another organisation's name, or another endpoint's, is not recorded", async () => {
  const { at, claims } = await place(1);
  const other = await place(1);
  await record(worker, other.at.organisationId, [[claims[0] as Step, ok]]);
  await record(worker, at.organisationId, [[{ ...(claims[0] as Step), endpointId: other.at.endpointId }, ok]]);
  expect(await states(at)).toEqual(["pending"]);
  await record(worker, at.organisationId, [[claims[0] as Step, ok]]);
  expect(await states(at)).toEqual(["delivered"]);
});

test("410 disables the endpoint at once with reason gone, and all that waits there has failed", async () => {
  const { at, claims } = await place(3, 5);
  await makeDue(db, at, 5);
  await record(worker, at.organisationId, [[claims[0] as Step, { statusCode: 410 }]]);
  expect(await endpoint(at)).toMatchObject({ state: "disabled", reason: "gone", failures: 1 });
  // Two are still under way; what comes of them is recorded, with no attempt to follow.
  expect((await states(at)).filter((state) => state === "pending")).toHaveLength(2);
  await record(worker, at.organisationId, [
    [claims[1] as Step, ok],
    [claims[2] as Step, bad],
  ]);
  expect((await states(at)).sort()).toEqual(["delivered", ...Array(7).fill("failed")]);
  expect(await endpoint(at)).toMatchObject({ state: "disabled", reason: "gone" });
});

/** Seconds from now to the next attempt after this answer, of many deliveries. */
async function waits(answer: Answer, count = 25): Promise<number[]> {
  const { at, claims } = await place(count, 5);
  const began = Date.now();
  await record(
    worker,
    at.organisationId,
    claims.map((claim) => [claim, answer]),
  );
  const rows = await db.sql<{ due: Date }>("select next_attempt_at as due from app.deliveries where endpoint_id = $1", [
    at.endpointId,
  ]);
  const slack = (Date.now() - began) / 1000;
  return rows.map(({ due }) => (due.getTime() - began) / 1000).map((wait) => Math.max(0, wait - slack));
}

test("jitter only adds: no retry comes before its rung, none a tenth of it later, and they are spread", async () => {
  const { at, claims } = await place(25, 5);
  await record(
    worker,
    at.organisationId,
    claims.map((claim) => [claim, bad]),
  );
  const rows = await db.sql<{ wait: number }>(
    `select extract(epoch from delivery.next_attempt_at - outcome.at)::float as wait
     from app.deliveries delivery, (select troubled_since as at from app.webhook_endpoints where id = $1) outcome
     where delivery.endpoint_id = $1`,
    [at.endpointId],
  );
  const seconds = rows.map(({ wait }) => wait);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(60);
  expect(Math.max(...seconds)).toBeLessThanOrEqual(66);
  expect(new Set(seconds.map((wait) => Math.round(wait * 100))).size).toBeGreaterThan(5);
});

test.each<[string, number, [number, number]]>([
  ["later than the rung is honoured", 600, [590, 600.1]],
  ["earlier than the rung changes nothing", 5, [50, 66.1]],
  ["beyond a day is a day", 30 * 86_400, [86_390, 86_400.1]],
])("Retry-After %s", async (_name, retryAfterSeconds, [least, most]) => {
  const found = await waits({ statusCode: 503, retryAfterSeconds }, 3);
  expect(Math.min(...found)).toBeGreaterThanOrEqual(least);
  expect(Math.max(...found)).toBeLessThanOrEqual(most);
});

test("Retry-After gives back no attempt: after the last one a delivery has failed", async () => {
  const { at, claims } = await place(1, 1);
  await record(worker, at.organisationId, [[claims[0] as Step, { statusCode: 429, retryAfterSeconds: 30 }]]);
  expect(await states(at)).toEqual(["failed"]);
});
