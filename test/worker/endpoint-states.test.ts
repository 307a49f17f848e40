/** How endpoint states and deliveries affect each other. (docs/specification/webhooks.md#states) */
import type { Json } from "../support/api.ts";
import {
  type Customer,
  customer,
  type Endpoint,
  expectSigned,
  type Hook,
  ownOfficeOfFile,
  status,
} from "../support/post-office.ts";
import { deliveryJobs, eventually, moveClock } from "../support/worker.ts";

const office = ownOfficeOfFile();
beforeAll(async () => {
  // One attempt a delivery, so that each failed answer is a failed delivery.
  await office.db.sql("update app.service_settings set delivery_max_attempts = 1");
});

type Place = { who: Customer; hook: Hook; endpoint: Endpoint };

async function place(answer = status(500)): Promise<Place> {
  const who = await customer(office);
  const hook = office.hook(answer);
  return { who, hook, endpoint: await who.subscribe(hook) };
}

const jobsOf = ({ endpoint }: Place) => deliveryJobs(office.db, `payload ->> 'endpointId' = '${endpoint.id}'`);

const row = async ({ who, endpoint }: Place): Promise<Json> => (await who.ask("GET", `/webhooks/${endpoint.id}`)).body;

/** One test delivery, followed to its end. */
async function deliver({ who, endpoint }: Place, state = "failed"): Promise<Json> {
  const { id } = (await who.ask("POST", `/webhooks/${endpoint.id}/test`)).body;
  await eventually(
    async () =>
      (await office.db.sql("select from app.deliveries where id = $1 and state = $2", [id, state])).length > 0,
  );
  return (await who.ask("GET", `/deliveries/${id}`)).body;
}

/** A delivery after its first of two attempts, waiting for the second. */
async function waiting(at: Place): Promise<Json> {
  await office.db.sql("update app.service_settings set delivery_max_attempts = 2");
  await at.who.ask("POST", `/webhooks/${at.endpoint.id}/test`);
  const delivery = await at.who.untilDelivery(at.endpoint, "pending", 1);
  await office.db.sql("update app.service_settings set delivery_max_attempts = 1");
  return delivery;
}

test("the first failed attempt of a delivery sets failingSince, and the next 2xx clears it", async () => {
  const at = await place();
  expect((await row(at)).failingSince).toBeNull();
  await waiting(at);
  const { failingSince, consecutiveFailures } = await row(at);
  expect([Date.parse(failingSince) <= Date.now(), consecutiveFailures]).toEqual([true, 0]);
  at.hook.answer = status(200);
  await deliver(at, "delivered");
  expect((await row(at)).failingSince).toBeNull();
});

test("the tenth failed delivery in a row disables the endpoint, with reason and time", async () => {
  const at = await place();
  for (let failed = 1; failed <= 9; failed += 1) await deliver(at);
  expect(await row(at)).toMatchObject({
    state: "active",
    consecutiveFailures: 9,
    disabledReason: null,
    disabledAt: null,
    lastDeliveryAt: null,
  });
  await deliver(at);
  const disabled = await row(at);
  expect(disabled).toMatchObject({
    state: "disabled",
    consecutiveFailures: 10,
    disabledReason: "consecutive_failures",
  });
  expect(Math.abs(Date.parse(disabled.disabledAt) - Date.now())).toBeLessThan(10_000);
});

test("a successful delivery resets the failure count", async () => {
  const at = await place();
  for (let failed = 1; failed <= 9; failed += 1) await deliver(at);
  at.hook.answer = status(200);
  await deliver(at, "delivered");
  const cleared = await row(at);
  expect(cleared.consecutiveFailures).toBe(0);
  expect(Math.abs(Date.parse(cleared.lastDeliveryAt) - Date.now())).toBeLessThan(10_000);
  at.hook.answer = status(500);
  for (let failed = 1; failed <= 9; failed += 1) await deliver(at);
  expect(await row(at)).toMatchObject({
    state: "active",
    consecutiveFailures: 9,
    lastDeliveryAt: cleared.lastDeliveryAt,
  });
});

test("ten simultaneous failures disable the endpoint once, and end its waiting deliveries without an attempt", async () => {
  const at = await place();
  const responses: (() => void)[] = [];
  at.hook.answer = (_request, response) => void responses.push(() => response.writeHead(500).end());
  await Promise.all(Array.from({ length: 12 }, () => at.who.ask("POST", `/webhooks/${at.endpoint.id}/test`)));
  await eventually(async () => responses.length === 10); // the share of an endpoint
  for (const answer of responses) answer();
  await eventually(async () => (await row(at)).state === "disabled");
  const deliveries = await office.db.sql<{ state: string; attempts: number }>(
    "select state, attempts from app.deliveries where endpoint_id = $1 order by attempts",
    [at.endpoint.id],
  );
  expect(deliveries).toEqual(Array.from({ length: 12 }, (_, n) => ({ state: "failed", attempts: n < 2 ? 0 : 1 })));
  expect((await row(at)).consecutiveFailures).toBe(10);
  expect(responses).toHaveLength(10);
});

test("a failed attempt with a retry left does not count", async () => {
  const at = await place();
  await waiting(at);
  expect((await row(at)).consecutiveFailures).toBe(0);
});

test("resuming clears count, reason and time; pausing a disabled endpoint is refused", async () => {
  const at = await place();
  for (let failed = 1; failed <= 10; failed += 1) await deliver(at);
  const path = `/webhooks/${at.endpoint.id}`;
  const paused = await at.who.ask("PATCH", path, { state: "paused" }, "mayFail");
  expect([paused.status, paused.body.error.code]).toEqual([409, "conflict"]);
  expect((await row(at)).state).toBe("disabled");
  const resumed = await at.who.ask("PATCH", path, { state: "active" });
  expect(resumed.body).toMatchObject({
    state: "active",
    consecutiveFailures: 0,
    disabledReason: null,
    disabledAt: null,
  });
  at.hook.answer = status(200);
  await deliver(at, "delivered");
});

test("a pause delays due deliveries until the endpoint is resumed", async () => {
  const at = await place();
  const delivery = await waiting(at);
  const path = `/webhooks/${at.endpoint.id}`;
  await at.who.ask("PATCH", path, { state: "paused" });
  at.hook.answer = status(200);
  await moveClock(office.db, "2 hours");
  // The due job finds the pause and ends, and maintenance queues none.
  await eventually(async () => (await jobsOf(at)).length === 0);
  const [maintained] = await office.db.sql<{ requeued: number }>("select requeued from jobs.run_maintenance()");
  expect(maintained?.requeued).toBe(0);
  expect(await at.who.delivery(at.endpoint)).toMatchObject({ id: delivery.id, state: "pending", attempts: 1 });
  expect(at.hook.posts()).toHaveLength(1);
  await at.who.ask("PATCH", path, { state: "active" });
  await at.who.untilDelivery(at.endpoint, "delivered", 2);
  expect(at.hook.posts()).toHaveLength(2);
});

test("resuming before the retry is due does not bring it forward", async () => {
  const at = await place();
  const delivery = await waiting(at);
  await at.who.ask("PATCH", `/webhooks/${at.endpoint.id}`, { state: "paused" });
  await at.who.ask("PATCH", `/webhooks/${at.endpoint.id}`, { state: "active" });
  await eventually(async () => (await jobsOf(at)).length === 1); // the immediate job has ended
  const [job] = await jobsOf(at);
  expect(job?.run_at.getTime()).toBeGreaterThan(Date.now() + 50_000);
  expect(await at.who.delivery(at.endpoint)).toMatchObject({ id: delivery.id, state: "pending", attempts: 1 });
  expect(at.hook.posts()).toHaveLength(1);
});

test.each(["disabled", "deleted"])(
  "pending deliveries of an endpoint that is %s fail without an attempt",
  async (how) => {
    const at = await place();
    const delivery = await waiting(at);
    if (how === "deleted") {
      await at.who.ask("DELETE", `/webhooks/${at.endpoint.id}`);
    } else {
      for (let failed = 1; failed <= 10; failed += 1) await deliver(at);
    }
    const posts = at.hook.posts().length;
    const ended = (await at.who.ask("GET", `/deliveries/${delivery.id}`)).body;
    expect(ended).toMatchObject({ state: "failed", attempts: 1, nextAttemptAt: null });
    await moveClock(office.db, "3 hours");
    await eventually(async () => (await jobsOf(at)).length === 0);
    expect(at.hook.posts()).toHaveLength(posts);
    const reply = await at.who.ask("POST", `/deliveries/${delivery.id}/redeliver`, undefined, "mayFail");
    expect([reply.status, reply.body.error.code]).toEqual([409, "conflict"]);
  },
);

test("a redelivery keeps the id and continues the log in a new round", async () => {
  const at = await place();
  const failed = await deliver(at);
  await office.db.sql("update app.service_settings set delivery_max_attempts = 2");
  const reply = await at.who.ask("POST", `/deliveries/${failed.id}/redeliver`);
  await office.db.sql("update app.service_settings set delivery_max_attempts = 1");
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({ id: failed.id, state: "pending", attempts: 1 });
  const again = await at.who.untilDelivery(at.endpoint, "pending", 2);
  at.hook.answer = status(200);
  await moveClock(office.db, "70 seconds");
  const done = await at.who.untilDelivery(at.endpoint, "delivered", 3);
  expect(again.id).toBe(failed.id);
  expect(done.attemptLog.map(({ number, trigger, statusCode }: Json) => [number, trigger, statusCode])).toEqual([
    [1, "scheduled", 500],
    [2, "manual", 500],
    [3, "scheduled", 200],
  ]);
  expect(new Set(at.hook.posts().map(({ body }) => body)).size).toBe(1);
});

test("redelivery requires a failed delivery and an active endpoint", async () => {
  const at = await place();
  const conflict = async (id: string) => {
    const reply = await at.who.ask("POST", `/deliveries/${id}/redeliver`, undefined, "mayFail");
    expect([reply.status, reply.body.error.code]).toEqual([409, "conflict"]);
  };
  const failed = await deliver(at);
  const pending = await waiting(at);
  await conflict(pending.id);
  at.hook.answer = status(200);
  const delivered = await deliver(at, "delivered");
  await conflict(delivered.id);
  await at.who.ask("PATCH", `/webhooks/${at.endpoint.id}`, { state: "paused" });
  await conflict(failed.id);
  await at.who.ask("PATCH", `/webhooks/${at.endpoint.id}`, { state: "active" });
  expect((await at.who.ask("POST", `/deliveries/${failed.id}/redeliver`)).status).toBe(202);
});

test("an attempt uses the current secret and URL", async () => {
  const at = await place();
  await waiting(at);
  expectSigned(at.hook.posts()[0], at.endpoint.secret);
  const rotated = (await at.who.ask("POST", `/webhooks/${at.endpoint.id}/rotate`)).body;
  expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(rotated.secret).not.toBe(at.endpoint.secret);
  const moved = office.hook();
  await at.who.ask("PATCH", `/webhooks/${at.endpoint.id}`, { url: moved.url });
  await moveClock(office.db, "70 seconds");
  await at.who.untilDelivery(at.endpoint, "delivered", 2);
  expect(at.hook.posts()).toHaveLength(1);
  expectSigned(moved.posts()[0], rotated.secret);
  expect(moved.posts()[0]?.body).toBe(at.hook.posts()[0]?.body);
});
