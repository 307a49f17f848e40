/** Deliveries without a worker: tests, reading, redelivering. (docs/specification/deliveries.md) */

import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { absent } from "../support/requests.ts";
import { newEndpoint } from "../support/resources.ts";
import { deliveryJobs } from "../support/worker.ts";

const here = apiOfFile();

async function withDelivery(): Promise<[Member, Json, Json]> {
  const ada = await here.owner();
  const { body: endpoint } = await ada.post("/webhooks", newEndpoint);
  return [ada, endpoint, (await ada.post(`/webhooks/${endpoint.id}/test`)).body];
}

/** Leaves the delivery as a worker does after five failed attempts. */
async function fail(delivery: Json): Promise<void> {
  await here.db.sql(
    `insert into app.delivery_attempts
       (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code, failure)
     select organisation_id, id, endpoint_id, number, 'scheduled', now(), 12, case when number < 5 then 500 end,
       case when number = 5 then 'timeout'::app.attempt_failure end
     from app.deliveries, generate_series(1, 5) number where id = $1`,
    [delivery.id],
  );
  await here.db.sql(
    `update app.deliveries
     set state = 'failed', next_attempt_at = null, attempts = 5, last_failure = 'timeout', last_attempt_at = now()
     where id = $1`,
    [delivery.id],
  );
}

/** Without a worker the jobs of an endpoint accumulate. */
const jobsOf = (endpoint: Json) => deliveryJobs(here.db, `payload ->> 'endpointId' = '${endpoint.id}'`);

test("test_webhook creates a pending delivery and a job; its payload names only the endpoint", async () => {
  const ada = await here.owner();
  const { body: endpoint } = await ada.post("/webhooks", newEndpoint);
  const sent = await ada.post(`/webhooks/${endpoint.id}/test`);
  expect(sent.status).toBe(202);
  const delivery = expectAnswer("test_webhook", sent);
  expect(delivery).toEqual({
    id: delivery.id,
    webhookId: endpoint.id,
    event: "webhook.test",
    state: "pending",
    attempts: 0,
    maxAttempts: 5,
    lastStatusCode: null,
    lastFailure: null,
    createdAt: delivery.createdAt,
    lastAttemptAt: null,
    nextAttemptAt: delivery.nextAttemptAt,
    deliveredAt: null,
  });
  expect(await jobsOf(endpoint)).toHaveLength(1);
  const read = expectAnswer("get_delivery", await ada.get(`/deliveries/${delivery.id}`));
  const { attemptLog, payload, ...row } = read;
  expect(row).toEqual(delivery);
  expect(attemptLog).toEqual([]);
  expect(payload).toEqual({
    id: delivery.id,
    event: "webhook.test",
    createdAt: payload.createdAt,
    organisationId: ada.organisation.id,
    data: { webhookId: endpoint.id },
  });
});

test("list_deliveries filters by state, event and time of creation, and pages within the filters", async () => {
  const [ada, endpoint, first] = await withDelivery();
  await here.db.sql(
    `insert into app.deliveries (organisation_id, endpoint_id, event_id, event)
     select organisation_id, endpoint_id, event_id, 'run.finished' from app.deliveries where id = $1`,
    [first.id],
  );
  for (let made = 0; made < 4; made += 1) await ada.post(`/webhooks/${endpoint.id}/test`);
  const path = `/webhooks/${endpoint.id}/deliveries`;
  const listed = async (query = "") => expectAnswer("list_deliveries", await ada.get(`${path}?${query}`));
  for (const delivery of (await listed()).data.slice(1, 3)) await fail(delivery);
  const { data: all } = await listed();
  const [newest, failed, alsoFailed, , , oldest] = all;

  expect((await listed("state=failed")).data).toEqual([failed, alsoFailed]);
  expect((await listed("state=delivered")).data).toEqual([]);
  const ofRuns = (await listed("event=run.finished")).data;
  expect(ofRuns).toEqual(all.filter(({ event }: Json) => event === "run.finished"));
  expect(ofRuns).toHaveLength(1);
  expect((await listed("event=run.finished&state=failed")).data).toEqual([]);
  expect((await listed(`since=${newest.createdAt}`)).data[0]).toEqual(newest);
  expect((await listed(`until=${oldest.createdAt}`)).data).toEqual([]);
  expect((await listed(`until=${oldest.createdAt}&state=pending`)).data).toEqual([]);
  expect((await listed(`since=${oldest.createdAt}&state=pending&event=webhook.test`)).data).toHaveLength(3);
  const pages: Json[] = [];
  for (let cursor = ""; cursor !== null; ) {
    const page = await listed(`limit=2&event=webhook.test${cursor && `&cursor=${cursor}`}`);
    pages.push(page.data);
    cursor = page.nextCursor;
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual(all.filter(({ event }: Json) => event === "webhook.test"));
  const wrong = await ada.get(`${path}?state=lost&event=run.lost&since=1&until=2`);
  expectRefusal(wrong, "invalid_request", ["query.state", "query.event", "query.since", "query.until"]);

  const eve = await here.owner();
  const { body: foreign } = await eve.post("/webhooks", newEndpoint);
  expect((await eve.get(`/webhooks/${foreign.id}/deliveries?state=failed`)).body.data).toEqual([]);
  expectRefusal(await eve.get(`${path}?state=failed`), "not_found");
});

test.each(["paused", "disabled"])(
  "test_webhook of a %s endpoint returns conflict and writes nothing",
  async (state) => {
    const ada = await here.owner();
    const { body: endpoint } = await ada.post("/webhooks", newEndpoint);
    const why = state === "disabled" ? ", disabled_reason = 'operator', disabled_at = now()" : "";
    await here.db.sql(`update app.webhook_endpoints set state = $2${why} where id = $1`, [endpoint.id, state]);
    expectRefusal(await ada.post(`/webhooks/${endpoint.id}/test`), "conflict");
    expect((await ada.get(`/webhooks/${endpoint.id}/deliveries`)).body.data).toEqual([]);
    expect(await here.db.sql("select from app.events where organisation_id = $1", [ada.organisation.id])).toEqual([]);
    await ada.patch(`/webhooks/${endpoint.id}`, { state: "active" });
    expectAnswer("test_webhook", await ada.post(`/webhooks/${endpoint.id}/test`));
  },
);

test("A finished run is delivered to every active endpoint that subscribes to the event, and to no other", async () => {
  const ada = await here.owner();
  const make = async (more: Json = {}) => (await ada.post("/webhooks", { ...newEndpoint, ...more })).body;
  const [first, second] = [await make(), await make({ events: ["run.finished", "approval.needed"] })];
  const others = [await make({ events: ["approval.needed"] }), await make(), await make()];
  await ada.patch(`/webhooks/${others[1].id}`, { state: "paused" });
  await ada.delete(`/webhooks/${others[2].id}`);
  const botId = (await ada.post("/bots", { name: "Ada" })).body.id;
  const run = (await ada.post("/runs", { botId, message: "A secret message" })).body;
  const ended = (await ada.post(`/runs/${run.id}/cancel`)).body;

  const deliveriesOf = async (endpoint: Json) =>
    expectAnswer("list_deliveries", await ada.get(`/webhooks/${endpoint.id}/deliveries`)).data;
  for (const other of others.slice(0, 2)) expect(await deliveriesOf(other)).toEqual([]);
  for (const endpoint of [first, second]) {
    const [delivery, ...more] = await deliveriesOf(endpoint);
    expect(more).toEqual([]);
    const read = await ada.get(`/deliveries/${delivery.id}`);
    // A webhook carries no text, and nothing that only the start needs.
    const { id, error, createdAt, metadata, retryOf, startAt, concurrencyKey, ...facts } = ended;
    expect(read.body.payload.data).toEqual({ runId: id, ...facts });
    expect(read.text).not.toContain("secret message");
  }
  const eve = await here.owner();
  expect((await eve.get("/webhooks")).body.data).toEqual([]);
});

test("redeliver starts a new round under the same id and keeps the log of attempts", async () => {
  const [ada, endpoint, delivery] = await withDelivery();
  await fail(delivery);
  await here.db.sql("select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs");
  const failed = expectAnswer("get_delivery", await ada.get(`/deliveries/${delivery.id}`));
  expect(failed).toMatchObject({
    state: "failed",
    attempts: 5,
    maxAttempts: 5,
    lastFailure: "timeout",
    nextAttemptAt: null,
  });
  expect(failed.attemptLog.map(({ number, statusCode, failure }: Json) => [number, statusCode, failure])).toEqual([
    [1, 500, null],
    [2, 500, null],
    [3, 500, null],
    [4, 500, null],
    [5, null, "timeout"],
  ]);

  const again = await ada.post(`/deliveries/${delivery.id}/redeliver`);
  expect(again.status).toBe(202);
  const pending = expectAnswer("redeliver", again);
  expect(pending).toMatchObject({
    id: delivery.id,
    webhookId: endpoint.id,
    state: "pending",
    attempts: 5,
    maxAttempts: 10,
  });
  expect(pending.nextAttemptAt).not.toBeNull();
  expect(await jobsOf(endpoint)).toHaveLength(1);
  expect((await ada.get(`/deliveries/${delivery.id}`)).body.attemptLog).toEqual(failed.attemptLog);
  expectRefusal(await ada.post(`/deliveries/${delivery.id}/redeliver`), "conflict");
});

test("redeliver of a pending or delivered delivery returns conflict", async () => {
  const [ada, , delivery] = await withDelivery();
  expectRefusal(await ada.post(`/deliveries/${delivery.id}/redeliver`), "conflict");
  await here.db.sql(
    "update app.deliveries set state = 'delivered', next_attempt_at = null, delivered_at = now() where id = $1",
    [delivery.id],
  );
  expectRefusal(await ada.post(`/deliveries/${delivery.id}/redeliver`), "conflict");
  expect((await ada.get(`/deliveries/${delivery.id}`)).body.state).toBe("delivered");
});

test("redeliver to a paused, disabled or deleted endpoint returns conflict", async () => {
  const [ada, endpoint, delivery] = await withDelivery();
  await fail(delivery);
  await ada.patch(`/webhooks/${endpoint.id}`, { state: "paused" });
  expectRefusal(await ada.post(`/deliveries/${delivery.id}/redeliver`), "conflict");
  await here.db.sql(
    "update app.webhook_endpoints set state = 'disabled', disabled_reason = 'gone', disabled_at = now() where id = $1",
    [endpoint.id],
  );
  expectRefusal(await ada.post(`/deliveries/${delivery.id}/redeliver`), "conflict");
  await ada.delete(`/webhooks/${endpoint.id}`);
  expectRefusal(await ada.post(`/deliveries/${delivery.id}/redeliver`), "conflict");
  expect((await ada.get(`/deliveries/${delivery.id}`)).body.state).toBe("failed");
});

test("A pending delivery fails without an attempt when its endpoint is deleted, and stays pending while it is paused", async () => {
  const [ada, endpoint, delivery] = await withDelivery();
  await ada.patch(`/webhooks/${endpoint.id}`, { state: "paused" });
  expect((await ada.get(`/deliveries/${delivery.id}`)).body.state).toBe("pending");
  await ada.patch(`/webhooks/${endpoint.id}`, { state: "active" });
  expect(await jobsOf(endpoint)).toHaveLength(2);
  await ada.delete(`/webhooks/${endpoint.id}`);
  const ended = expectAnswer("get_delivery", await ada.get(`/deliveries/${delivery.id}`));
  expect(ended).toMatchObject({ state: "failed", attempts: 0, nextAttemptAt: null, attemptLog: [] });
});

test("get_delivery and redeliver return 404 for an unknown delivery and one of another organisation", async () => {
  const [ada] = await withDelivery();
  const [eve, endpoint, foreign] = await withDelivery();
  await fail(foreign);
  for (const id of [absent, foreign.id]) {
    expectRefusal(await ada.get(`/deliveries/${id}`), "not_found");
    expectRefusal(await ada.post(`/deliveries/${id}/redeliver`), "not_found");
  }
  expectRefusal(await ada.get(`/webhooks/${endpoint.id}/deliveries`), "not_found");
  expect((await eve.get(`/deliveries/${foreign.id}`)).body.state).toBe("failed");
});
