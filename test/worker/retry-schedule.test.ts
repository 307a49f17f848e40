/** The retry schedule and the log of attempts. (docs/specification/deliveries.md#retries) */
import type { Json } from "../support/api.ts";
import { customer, expectSigned, ownOfficeOfFile, status } from "../support/post-office.ts";
import type { Respond } from "../support/receiver.ts";
import { eventually, leaseDeliveries, moveClock } from "../support/worker.ts";

const office = ownOfficeOfFile();

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The database's clock for attempts, in ms. */
async function clock(): Promise<number> {
  const [row] = await office.db.sql<{ now: Date }>("select times.clock() as now");
  return row?.now.getTime() ?? 0;
}

/** How far that clock is ahead of this machine's, in ms. */
async function ahead(): Promise<number> {
  const [row] = await office.db.sql<{ ahead: string }>(
    "select extract(epoch from times.clock() - now()) * 1000 as ahead",
  );
  return Number(row?.ahead);
}

async function moveTo(time: string, shortBy = 0): Promise<void> {
  await moveClock(office.db, `${Date.parse(time) - shortBy - (await clock())} milliseconds`);
}

/** Whether a worker could lease the delivery now. The lease is rolled back. */
async function claimable(id: string): Promise<boolean> {
  const pool = office.db.poolAs("worker", 1);
  const client = await pool.connect();
  try {
    await client.query("begin");
    const [endpoint] = await office.db.sql<{ organisationId: string; endpointId: string }>(
      `select organisation_id as "organisationId", endpoint_id as "endpointId" from app.deliveries where id = $1`,
      [id],
    );
    const leases = await leaseDeliveries(client, [{ ...endpoint, wantsMore: true, requeue: false }]);
    return leases.some(({ deliveryId }) => deliveryId === id);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/**
 * Follows a delivery to a receiver that always fails, from attempt to attempt.
 *
 * @param delays expected delays between attempts, in ms
 */
async function climb(maxAttempts: number, delays: number[]): Promise<void> {
  const who = await customer(office);
  const hook = office.hook(status(500));
  const endpoint = await who.subscribe(hook);
  const began = await clock();
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  let delivery: Json = await who.untilDelivery(endpoint, "pending", 1);
  expect(delivery.maxAttempts).toBe(maxAttempts);
  expect(Date.parse(delivery.createdAt)).toBeLessThanOrEqual(Date.now());
  let before = began;
  for (const [index, delay] of delays.entries()) {
    // The delay counts from the failure, which was recorded between these two readings of the clock.
    const wait = Date.parse(delivery.nextAttemptAt);
    expect(wait - before).toBeGreaterThanOrEqual(delay);
    expect(wait - (await clock())).toBeLessThanOrEqual(delay * 1.1);

    await moveTo(delivery.nextAttemptAt, 30_000); // tolerance for a busy machine
    expect(await claimable(delivery.id)).toBe(false);
    await moveTo(delivery.nextAttemptAt, 400);
    before = await clock();
    const last = index === delays.length - 1;
    const due = wait;
    delivery = await who.untilDelivery(endpoint, last ? "failed" : "pending", index + 2);
    const arrived = (hook.posts()[index + 1]?.at.getTime() ?? 0) + (await ahead());
    expect(arrived).toBeGreaterThanOrEqual(due);
  }
  expect(delivery).toMatchObject({ state: "failed", attempts: maxAttempts, nextAttemptAt: null, deliveredAt: null });

  const posts = hook.posts();
  expect(posts).toHaveLength(maxAttempts);
  expect(new Set(posts.map(({ body }) => body)).size).toBe(1);
  expect(new Set(posts.map(({ headers }) => headers["x-botstead-delivery"]))).toEqual(new Set([delivery.id]));
  for (const post of posts) expectSigned(post, endpoint.secret);

  await moveClock(office.db, "2 days");
  expect(await claimable(delivery.id)).toBe(false);
}

test("a delivery fails after five attempts: at once, after 60 s, 5 min, 30 min and 2 h, never early", () =>
  climb(5, [60 * seconds, 5 * minutes, 30 * minutes, 2 * hours]));

test("a maximum of six attempts adds the retry interval of 8 h", async () => {
  await office.db.sql("update app.service_settings set delivery_max_attempts = 6");
  await climb(6, [60 * seconds, 5 * minutes, 30 * minutes, 2 * hours, 8 * hours]);
  await office.db.sql("update app.service_settings set delivery_max_attempts = 5");
});

test("a due delivery is leased by only one of several workers", async () => {
  const who = await customer(office);
  const hook = office.hook(status(500));
  const endpoint = await who.subscribe(hook);
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  const { id } = await who.untilDelivery(endpoint, "pending", 1);
  await office.db.sql("delete from graphile_worker._private_jobs"); // in the test's own database
  await office.db.sql("update app.deliveries set next_attempt_at = times.clock() where id = $1", [id]);
  const pool = office.db.poolAs("worker", 8);
  const request = { organisationId: who.organisation.id, endpointId: endpoint.id, wantsMore: true, requeue: false };
  const leases = await Promise.all(Array.from({ length: 8 }, () => leaseDeliveries(pool, [request])));
  expect(leases.flat().map(({ deliveryId }) => deliveryId)).toEqual([id]);
});

test("the log has number, trigger, start, duration, status code and failure of each attempt", async () => {
  const who = await customer(office);
  const hook = office.hook(status(503));
  const endpoint = await who.subscribe(hook);
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  const first = await who.untilDelivery(endpoint, "pending", 1);
  hook.answer = (_request, response) => void response.destroy();
  await moveTo(first.nextAttemptAt);
  const second = await who.untilDelivery(endpoint, "pending", 2);
  expect(second).toMatchObject({ lastStatusCode: null, lastFailure: "transport" });
  hook.answer = status(204);
  await moveTo(second.nextAttemptAt);
  const done = await who.untilDelivery(endpoint, "delivered", 3);
  expect(done).toMatchObject({ lastStatusCode: 204, lastFailure: null, nextAttemptAt: null });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const common = { trigger: "scheduled", startedAt: time, durationMs: expect.any(Number) };
  expect(done.attemptLog).toEqual([
    { number: 1, ...common, statusCode: 503, failure: null },
    { number: 2, ...common, statusCode: null, failure: "transport" },
    { number: 3, ...common, statusCode: 204, failure: null },
  ]);
  expect(done.deliveredAt).toEqual(time);
  expect(done.lastAttemptAt).toBe(done.attemptLog[2].startedAt);
});

describe("a failed attempt is recorded with its status code or failure code", () => {
  const cases: [string, Respond, { statusCode: number | null; failure: string | null }][] = [
    ["a status other than 2xx", status(404), { statusCode: 404, failure: null }],
    [
      "a redirect, which is not followed",
      (_request, response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
      { statusCode: 302, failure: "redirect" },
    ],
    [
      "more than 64 KB",
      (_request, response) => void response.writeHead(200).end(Buffer.alloc(64 * 1024 + 1)),
      { statusCode: 200, failure: "size" },
    ],
    ["no answer within 10 s", () => {}, { statusCode: null, failure: "timeout" }],
    [
      "a broken connection",
      (_request, response) => void response.destroy(),
      { statusCode: null, failure: "transport" },
    ],
  ];

  test.each(cases)("%s", async (_name, answer, outcome) => {
    const who = await customer(office);
    const hook = office.hook(answer);
    const endpoint = await who.subscribe(hook);
    await who.ask("POST", `/webhooks/${endpoint.id}/test`);
    const delivery = await who.untilDelivery(endpoint, "pending", 1);
    expect(delivery.attemptLog).toMatchObject([outcome]);
    expect(delivery).toMatchObject({ lastStatusCode: outcome.statusCode, lastFailure: outcome.failure });
    expect(hook.posts()).toHaveLength(1);
  });

  test.each([
    ["an address that has become private", "https://10.1.2.3/", "address"],
    ["an unknown name", "https://nowhere.invalid/", "dns"],
  ])("%s", async (_name, url, failure) => {
    const who = await customer(office);
    const endpoint = await who.subscribe(office.hook());
    // As an earlier version stored it, without the check of targets.
    await office.db.sql(
      `begin; set local session_replication_role = replica;
       update app.webhook_endpoints set url = '${url}' where id = '${endpoint.id}'; commit`,
    );
    await who.ask("POST", `/webhooks/${endpoint.id}/test`);
    const delivery = await who.untilDelivery(endpoint, "pending", 1);
    expect(delivery.attemptLog).toMatchObject([{ number: 1, statusCode: null, failure }]);
  });
});

test("a response of exactly 64 KB delivers", async () => {
  const who = await customer(office);
  const hook = office.hook((_request, response) => void response.writeHead(200).end(Buffer.alloc(64 * 1024)));
  const endpoint = await who.subscribe(hook);
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  await who.untilDelivery(endpoint, "delivered", 1);
  await eventually(async () => hook.posts().length === 1);
});
