/** jobs.record_outcomes records a batch as if each outcome came alone. (docs/specification/deliveries.md#retries) */
import type { Pool } from "pg";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type Answer, type EndpointKey, leaseDue, makeDue, makeEndpoint, record } from "../support/endpoint-leases.ts";
import { begun, lockWaits, untilWaiting } from "../support/transactions.ts";
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

/** An endpoint with leased deliveries. */
async function place(
  leases: number,
  maxAttempts = 1,
  kind = "webhook.test",
): Promise<{ at: EndpointKey; leases: Step[] }> {
  await db.sql("update app.service_settings set delivery_max_attempts = $1", [maxAttempts]);
  const at = await makeEndpoint(db, (await makeOrganisation(db)).id);
  await makeDue(db, at, leases, kind);
  return { at, leases: await leaseDue(worker, at) };
}

const endpoint = async ({ endpointId }: EndpointKey) =>
  (
    await db.sql<{ state: string; reason: string; failures: number; degraded: boolean; delivered: boolean }>(
      `select state, disabled_reason as reason, consecutive_failures as failures, degraded_since is not null as degraded,
         last_delivery_at is not null as delivered
       from app.webhook_endpoints where id = $1`,
      [endpointId],
    )
  )[0];

const states = async ({ endpointId }: EndpointKey) =>
  (
    await db.sql<{ state: string }>("select state from app.deliveries where endpoint_id = $1 order by id", [endpointId])
  ).map(({ state }) => state);

const active = { state: "active", reason: null };
const disabled = { state: "disabled", reason: "consecutive_failures" };

test.each<[string, Answer[], object]>([
  ["nine that fail", Array(9).fill(bad), { ...active, failures: 9, degraded: true, delivered: false }],
  ["ten that fail", Array(10).fill(bad), { ...disabled, failures: 10, degraded: true }],
  [
    "one delivered among them",
    [...Array(6).fill(bad), ok, ...Array(4).fill(bad)],
    { ...active, failures: 4, degraded: true, delivered: true },
  ],
  [
    "one delivered at the end",
    [...Array(9).fill(bad), ok],
    { ...active, failures: 0, degraded: false, delivered: true },
  ],
  ["ten between two delivered", [ok, ...Array(10).fill(bad), ok], { ...disabled, failures: 0, degraded: false }],
  ["ten after one delivered", [ok, ...Array(10).fill(bad)], { ...disabled, failures: 10, degraded: true }],
])("failed deliveries in a row are counted in the order of the batch: %s", async (_name, answers, expected) => {
  const { at, leases } = await place(answers.length);
  await record(
    worker,
    at.organisationId,
    leases.map((lease, n) => [lease, answers[n] as Answer]),
  );
  expect(await endpoint(at)).toMatchObject(expected);
});

test("failures in a row are counted across batches", async () => {
  const { at, leases } = await place(10);
  await record(
    worker,
    at.organisationId,
    leases.slice(0, 6).map((lease) => [lease, bad]),
  );
  await record(
    worker,
    at.organisationId,
    leases.slice(6).map((lease) => [lease, bad]),
  );
  expect(await endpoint(at)).toMatchObject(disabled);
});

test("a repeated batch, as after an outage, is recorded once", async () => {
  const { at, leases } = await place(4, 5);
  const outcomes = leases.map((lease, n) => [lease, n % 2 === 0 ? ok : bad] as const);
  await Promise.all(Array.from({ length: 4 }, () => record(worker, at.organisationId, outcomes)));
  expect(await states(at)).toEqual(["delivered", "pending", "delivered", "pending"]);
  const attempts = await db.sql("select from app.delivery_attempts where endpoint_id = $1", [at.endpointId]);
  expect(attempts).toHaveLength(4);
});

describe("after a crash of the server that lost a lease", () => {
  /** A delivery that was leased, as the crash leaves it. */
  async function lost() {
    const { at, leases } = await place(1, 5);
    const [before] = await db.sql<{ began: Date }>(
      "select lease_until - jobs.lease_time() as began from app.deliveries where endpoint_id = $1",
      [at.endpointId],
    );
    await db.sql("update app.deliveries set lease_id = null, lease_until = null where endpoint_id = $1", [
      at.endpointId,
    ]);
    return { at, lease: leases[0] as Step, began: before?.began.getTime() ?? 0 };
  }

  test.each<[string, Answer, string]>([
    ["success", ok, "delivered"],
    ["failure", bad, "pending"],
  ])("the %s is recorded once, at the time of the lease", async (_name, answer, state) => {
    const { at, lease, began } = await lost();
    for (let twice = 0; twice < 2; twice += 1) await record(worker, at.organisationId, [[lease, answer]]);
    expect(await states(at)).toEqual([state]);
    const attempts = await db.sql<{ number: number; started: Date }>(
      "select number, started_at as started from app.delivery_attempts where endpoint_id = $1",
      [at.endpointId],
    );
    expect(attempts).toMatchObject([{ number: 1 }]);
    expect(Math.abs((attempts[0]?.started.getTime() ?? 0) - began)).toBeLessThan(1_000);
  });

  test("the outcome is not recorded once the delivery was leased again", async () => {
    const { at, lease } = await lost();
    const [again] = await leaseDue(worker, at);
    await record(worker, at.organisationId, [[lease, ok]]);
    expect(await states(at)).toEqual(["pending"]);
    await record(worker, at.organisationId, [[again as Step, ok]]);
    expect(await states(at)).toEqual(["delivered"]);
  });

  test("the outcome is not recorded in a round that began after its attempt", async () => {
    const { at, lease } = await lost();
    await db.sql("update app.deliveries set next_attempt_at = clock_timestamp() where endpoint_id = $1", [
      at.endpointId,
    ]);
    await record(worker, at.organisationId, [[lease, ok]]);
    expect(await states(at)).toEqual(["pending"]);
  });
});

test("an outcome with the wrong organisation or endpoint is not recorded", async () => {
  const { at, leases } = await place(1);
  const other = await place(1);
  await record(worker, other.at.organisationId, [[leases[0] as Step, ok]]);
  await record(worker, at.organisationId, [[{ ...(leases[0] as Step), endpointId: other.at.endpointId }, ok]]);
  expect(await states(at)).toEqual(["pending"]);
  await record(worker, at.organisationId, [[leases[0] as Step, ok]]);
  expect(await states(at)).toEqual(["delivered"]);
});

test("a 410 disables the endpoint with reason gone and fails its waiting deliveries", async () => {
  const { at, leases } = await place(3, 5, "approval.needed");
  await makeDue(db, at, 5, "approval.needed");
  await record(worker, at.organisationId, [[leases[0] as Step, { statusCode: 410 }]]);
  expect(await endpoint(at)).toMatchObject({ state: "disabled", reason: "gone", failures: 1 });
  // Two attempts are still running. Their outcomes are recorded without a retry.
  expect((await states(at)).filter((state) => state === "pending")).toHaveLength(2);
  await record(worker, at.organisationId, [
    [leases[1] as Step, ok],
    [leases[2] as Step, bad],
  ]);
  expect((await states(at)).sort()).toEqual(["delivered", ...Array(7).fill("failed")]);
  expect(await endpoint(at)).toMatchObject({ state: "disabled", reason: "gone" });
});

test("a 410 to a test delivery is retried, and the endpoint stays active", async () => {
  const { at, leases } = await place(1, 5);
  await record(worker, at.organisationId, [[leases[0] as Step, { statusCode: 410 }]]);
  expect(await endpoint(at)).toMatchObject({ ...active, failures: 0 });
  expect(await states(at)).toEqual(["pending"]);
});

/** Seconds until the next attempt after this answer, for many deliveries. */
async function waits(answer: Answer, count = 25): Promise<number[]> {
  const { at, leases } = await place(count, 5);
  const began = Date.now();
  await record(
    worker,
    at.organisationId,
    leases.map((lease) => [lease, answer]),
  );
  const rows = await db.sql<{ due: Date }>("select next_attempt_at as due from app.deliveries where endpoint_id = $1", [
    at.endpointId,
  ]);
  const slack = (Date.now() - began) / 1000;
  return rows.map(({ due }) => (due.getTime() - began) / 1000).map((wait) => Math.max(0, wait - slack));
}

test("jitter adds 0 to 10 % to the retry interval, spread over the deliveries", async () => {
  const { at, leases } = await place(25, 5);
  await record(
    worker,
    at.organisationId,
    leases.map((lease) => [lease, bad]),
  );
  const rows = await db.sql<{ wait: number }>(
    `select extract(epoch from delivery.next_attempt_at - outcome.at)::float as wait
     from app.deliveries delivery, (select degraded_since as at from app.webhook_endpoints where id = $1) outcome
     where delivery.endpoint_id = $1`,
    [at.endpointId],
  );
  const seconds = rows.map(({ wait }) => wait);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(60);
  expect(Math.max(...seconds)).toBeLessThanOrEqual(66);
  expect(new Set(seconds.map((wait) => Math.round(wait * 100))).size).toBeGreaterThan(5);
});

test.each<[string, number, [number, number]]>([
  ["longer than the retry interval is honoured", 600, [590, 600.1]],
  ["shorter than the retry interval is ignored", 5, [50, 66.1]],
  ["beyond an hour is an hour", 86_400, [3_590, 3_600.1]],
])("Retry-After %s", async (_name, retryAfterSeconds, [min, max]) => {
  const found = await waits({ statusCode: 503, retryAfterSeconds }, 3);
  expect(Math.min(...found)).toBeGreaterThanOrEqual(min);
  expect(Math.max(...found)).toBeLessThanOrEqual(max);
});

test("Retry-After adds no attempt: after the last one the delivery fails", async () => {
  const { at, leases } = await place(1, 1);
  await record(worker, at.organisationId, [[leases[0] as Step, { statusCode: 429, retryAfterSeconds: 30 }]]);
  expect(await states(at)).toEqual(["failed"]);
});

describe("while another session has the tables of jobs locked", () => {
  const lockJobs = `lock table graphile_worker._private_jobs, graphile_worker._private_job_queues, graphile_worker._private_tasks`;

  /** Records the outcome, and waits for it or for its wait. `cold`: on a new connection, which plans the statement first. */
  async function recorded(answer: Answer, cold: boolean): Promise<boolean> {
    const { at, leases } = await place(1, 2);
    const [lease] = leases;
    if (!lease) throw new Error("Nothing was leased.");
    const locker = await begun(db);
    await locker.query(lockJobs);
    const pool = cold ? db.poolAs("worker", 1) : worker;
    let ended = false;
    const recording = record(pool, at.organisationId, [[lease, answer]]).then(() => {
      ended = true;
    });
    await untilWaiting(db, 1, recording);
    const without = ended;
    await locker.query("commit");
    await recording;
    expect(await states(at)).toEqual([answer === ok ? "delivered" : "pending"]);
    return without;
  }

  test.each([true, false])("a delivered outcome is recorded without them, new connection: %s", async (cold) => {
    expect(await recorded(ok, cold)).toBe(true);
  });

  test("an outcome with a retry waits for them, because it queues the job of the retry", async () => {
    expect(await recorded(bad, true)).toBe(false);
  });

  test("on a new connection, a delivery is leased without them", async () => {
    const at = await makeEndpoint(db, (await makeOrganisation(db)).id);
    await makeDue(db, at, 1);
    const locker = await begun(db);
    await locker.query(lockJobs);
    const leasing = leaseDue(db.poolAs("worker", 1), at);
    await untilWaiting(db, 1, leasing);
    expect(await lockWaits(db, "true")).toBe(0);
    await locker.query("commit");
    expect(await leasing).toHaveLength(1);
  });
});
