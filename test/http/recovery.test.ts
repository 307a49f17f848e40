/** Recovery of failed deliveries and missing events. (docs/specification/webhooks.md#recovery) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { makeDeliveries, makeEvents, minutesAgo } from "../support/events.ts";
import { anEndpointWithMissedEvents, type MissedEvents, newEndpoint } from "../support/resources.ts";
import { deliveryJobs } from "../support/worker.ts";

const here = ownApiOfFile();

const recover = ({ ada, endpointId }: MissedEvents, body: Json) => ada.post(`/webhooks/${endpointId}/recover`, body);
const recovered = async (at: MissedEvents, body: Json) => expectAnswer("recover_webhook", await recover(at, body));

const statesOf = async (ids: string[]) =>
  (await here.db.sql<{ state: string }>("select state from app.deliveries where id = any ($1) order by id", [ids])).map(
    ({ state }) => state,
  );

const deliveriesOf = ({ endpointId }: MissedEvents) =>
  here.db.sql<{ event_id: string; state: string }>(
    "select event_id, state from app.deliveries where endpoint_id = $1 order by id",
    [endpointId],
  );

describe("recover_webhook of failed deliveries", () => {
  test("begins a manual round for those within the time, and changes no other delivery", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const other = { ...at, endpointId: (await at.ada.post("/webhooks", newEndpoint)).body.id as string };
    const before = await makeDeliveries(here.db, at, { ago: "61 minutes" });
    const within = await makeDeliveries(here.db, at, { ago: "59 minutes", count: 3 });
    const after = await makeDeliveries(here.db, at, { ago: "29 minutes" });
    const theirs = await makeDeliveries(here.db, other, { ago: "45 minutes" });
    const delivered = await makeDeliveries(here.db, at, { ago: "45 minutes", state: "delivered" });
    const range = { since: minutesAgo(60), until: minutesAgo(30), include: "failed" };
    expect(await recovered(at, range)).toEqual({
      webhookId: at.endpointId,
      include: "failed",
      recovered: 3,
      hasMore: false,
      nextSince: null,
    });
    expect(await statesOf(within)).toEqual(["pending", "pending", "pending"]);
    expect(await statesOf([...before, ...after, ...theirs])).toEqual(["failed", "failed", "failed"]);
    expect(await statesOf(delivered)).toEqual(["delivered"]);
    const [{ trigger, max_attempts } = {}] = await here.db.sql<Json>("select * from app.deliveries where id = $1", [
      within[0],
    ]);
    expect({ trigger, max_attempts }).toEqual({ trigger: "manual", max_attempts: 10 });
    expect(await recovered(at, range)).toMatchObject({ recovered: 0, hasMore: false });
  });

  test("queues one delivery job per endpoint and call, as does deleting a bot with several runs", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const other = (await at.ada.post("/webhooks", newEndpoint)).body.id;
    const queued = async () => {
      const endpoints = (await deliveryJobs(here.db)).map(({ endpoint }) => endpoint);
      return [at.endpointId, other].map((id) => endpoints.filter((endpoint) => endpoint === id).length);
    };
    await makeDeliveries(here.db, at, { ago: "10 minutes", count: 30 });
    expect(await recovered(at, { since: minutesAgo(20), include: "failed" })).toMatchObject({ recovered: 30 });
    expect(await queued()).toEqual([1, 0]);
    await here.db.sql("delete from app.deliveries where endpoint_id = $1", [at.endpointId]); // leaves nothing due
    const botId = (await at.ada.post("/bots", { name: "Ada" })).body.id;
    for (let each = 0; each < 5; each += 1) await at.ada.post("/runs", { botId, message: "Hello?" });
    expectAnswer("delete_bot", await at.ada.delete(`/bots/${botId}`));
    expect(await deliveriesOf(at)).toHaveLength(5);
    expect(await queued()).toEqual([2, 1]);
  });

  test("includes a delivery at `since` and excludes one at `until`, to the millisecond", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const [id] = await makeDeliveries(here.db, at, { ago: "10 minutes" });
    const createdAt = (await at.ada.get(`/deliveries/${id}`)).body.createdAt;
    expect(await recovered(at, { since: minutesAgo(20), until: createdAt, include: "failed" })).toMatchObject({
      recovered: 0,
    });
    expect(await recovered(at, { since: createdAt, include: "failed" })).toMatchObject({ recovered: 1 });
  });

  test("recovers more than one chunk by following nextSince, each delivery once", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const ids = await makeDeliveries(here.db, at, { ago: "2 hours", count: 1_300 });
    const range = { since: minutesAgo(130), until: minutesAgo(1), include: "failed" };
    const chunks: number[] = [];
    for (let since: string | null = range.since; since !== null; ) {
      const answer = await recovered(at, { ...range, since });
      expect(answer.hasMore).toBe(answer.nextSince !== null);
      chunks.push(answer.recovered);
      since = answer.nextSince;
    }
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.reduce((sum, each) => sum + each)).toBe(1_300);
    expect(new Set(await statesOf(ids))).toEqual(new Set(["pending"]));
  });

  test("recovers all deliveries of one millisecond together, and the next call continues after them", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const ids = await makeDeliveries(here.db, at, { ago: "1 hour", count: 600 });
    await here.db.sql(
      "update app.deliveries set id = overlay(id::text placing $2 from 1 for 13)::uuid where id = any ($1)",
      [ids, ids[0]?.slice(0, 13)],
    );
    await makeDeliveries(here.db, at, { ago: "30 minutes" });
    const first = await recovered(at, { since: minutesAgo(70), include: "failed" });
    expect(first).toMatchObject({ recovered: 600, hasMore: true });
    expect(await recovered(at, { since: first.nextSince, include: "failed" })).toMatchObject({
      recovered: 1,
      hasMore: false,
    });
  });

  test("examines a limited number of deliveries per call", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    await makeDeliveries(here.db, at, { ago: "2 hours", count: 5_500, state: "delivered" });
    const late = await makeDeliveries(here.db, at, { ago: "1 hour" });
    const first = await recovered(at, { since: minutesAgo(130), include: "failed" });
    expect(first).toMatchObject({ recovered: 0, hasMore: true });
    expect(await recovered(at, { since: first.nextSince, include: "failed" })).toMatchObject({
      recovered: 1,
      hasMore: false,
    });
    expect(await statesOf(late)).toEqual(["pending"]);
  });
});

describe("recover_webhook of missing events", () => {
  test("creates one delivery for each event of a paused time or before the endpoint existed", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    await at.ada.patch(`/webhooks/${at.endpointId}`, { state: "paused" });
    const [whilePaused] = await makeEvents(here.db, at);
    await at.ada.patch(`/webhooks/${at.endpointId}`, { state: "active" });
    const [delivered] = await makeEvents(here.db, at);
    const [unsubscribed] = await makeEvents(here.db, at, { kind: "approval.needed" });
    await makeEvents(here.db, at, { kind: "webhook.test" });
    expect(unsubscribed).toBeDefined();
    expect((await deliveriesOf(at)).map((row) => row.event_id)).toEqual([delivered]);

    const answer = await recovered(at, { since: minutesAgo(200), include: "missing" });
    expect(answer).toEqual({
      webhookId: at.endpointId,
      include: "missing",
      recovered: 2,
      hasMore: false,
      nextSince: null,
    });
    expect((await deliveriesOf(at)).map((row) => row.event_id)).toEqual([delivered, at.eventId, whilePaused]);
    expect(await recovered(at, { since: minutesAgo(200), include: "missing" })).toMatchObject({ recovered: 0 });
    const [newest] = (await at.ada.get(`/webhooks/${at.endpointId}/deliveries`)).body.data;
    expect(newest).toMatchObject({ state: "pending", attempts: 0, maxAttempts: 5, event: "run.finished" });
  });

  test("does not count an event with a failed delivery as missing, nor a delivery to another endpoint", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const other = { ...at, endpointId: (await at.ada.post("/webhooks", newEndpoint)).body.id as string };
    await makeDeliveries(here.db, other, {});
    await makeDeliveries(here.db, at, {});
    expect(await recovered(at, { since: minutesAgo(200), include: "missing" })).toMatchObject({ recovered: 0 });
    const third = { ...at, endpointId: (await at.ada.post("/webhooks", newEndpoint)).body.id as string };
    expect(await recovered(third, { since: minutesAgo(200), include: "missing" })).toMatchObject({ recovered: 1 });
  });

  test("recovers only events within the time", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const [within] = await makeEvents(here.db, at, { ago: "2 hours" });
    await makeEvents(here.db, at, { ago: "1 hours" });
    await here.db.sql("delete from app.deliveries where endpoint_id = $1", [at.endpointId]);
    const range = { since: minutesAgo(121), until: minutesAgo(119), include: "missing" };
    expect(await recovered(at, range)).toMatchObject({ recovered: 1 });
    expect((await deliveriesOf(at)).map((row) => row.event_id)).toEqual([within]);
  });

  test("recovers more than one chunk by following nextSince", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    await at.ada.patch(`/webhooks/${at.endpointId}`, { state: "paused" });
    await makeEvents(here.db, at, { ago: "1 hour", count: 800 });
    await at.ada.patch(`/webhooks/${at.endpointId}`, { state: "active" });
    const first = await recovered(at, { since: minutesAgo(100), include: "missing" });
    expect(first.hasMore).toBe(true);
    const second = await recovered(at, { since: first.nextSince, include: "missing" });
    expect(second.hasMore).toBe(false);
    expect(first.recovered + second.recovered).toBe(800);
    const events = (await deliveriesOf(at)).map((row) => row.event_id);
    expect(new Set(events).size).toBe(800);
  });
});

test("A replay of recover_webhook returns the first response and recovers nothing more", async () => {
  const at = await anEndpointWithMissedEvents(here, "3 hours");
  const path = `/webhooks/${at.endpointId}/recover`;
  const body = { since: minutesAgo(200), include: "missing" };
  const first = await at.ada.post(path, body, { idempotencyKey: "once" });
  expect(first.status).toBe(202);
  await here.db.sql("delete from app.deliveries where endpoint_id = $1", [at.endpointId]);
  const again = await at.ada.post(path, body, { idempotencyKey: "once" });
  expect(again.text).toBe(first.text);
  expect(await deliveriesOf(at)).toEqual([]);
});

describe("recover_webhook is refused", () => {
  test("for a time in the future, beyond retention, or with `until` before `since`", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const recoverFrom = (since: string, until?: string) => recover(at, { since, until, include: "failed" });
    expectRefusal(await recoverFrom(minutesAgo(-1)), "invalid_request", ["body.since"]);
    expectRefusal(await recoverFrom(minutesAgo(30 * 24 * 60 + 1)), "invalid_request", ["body.since"]);
    expectRefusal(await recoverFrom("0001-01-01T00:00:00Z"), "invalid_request", ["body.since"]);
    const now = minutesAgo(0);
    expectRefusal(await recoverFrom(now, now), "invalid_request", ["body.until"]);
    expectRefusal(await recoverFrom(now, minutesAgo(1)), "invalid_request", ["body.until"]);
    expectAnswer("recover_webhook", await recoverFrom(minutesAgo(30 * 24 * 60 - 1), "9999-12-31T23:59:59.999Z"));
    await here.db.sql("update app.service_settings set delivery_retention = '2 days'");
    expectRefusal(await recoverFrom(minutesAgo(2 * 24 * 60 + 1)), "invalid_request", ["body.since"]);
    await here.db.sql("update app.service_settings set delivery_retention = default");
  });

  test("for missing or invalid fields", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const since = minutesAgo(5);
    expectRefusal(await recover(at, {}), "invalid_request", ["body.since", "body.include"]);
    expectRefusal(await recover(at, { since, include: "all" }), "invalid_request", ["body.include"]);
    expectRefusal(await recover(at, { since: "yesterday", include: "failed" }), "invalid_request", ["body.since"]);
    expectRefusal(await recover(at, { since, until: 5, include: "failed" }), "invalid_request", ["body.until"]);
  });

  test("for a paused, disabled, deleted or foreign endpoint, without a write", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const body = { since: minutesAgo(200), include: "missing" };
    const eve = await here.owner();
    expectRefusal(await eve.post(`/webhooks/${at.endpointId}/recover`, body), "not_found");
    await at.ada.patch(`/webhooks/${at.endpointId}`, { state: "paused" });
    expectRefusal(await recover(at, body), "conflict");
    await here.db.sql(
      "update app.webhook_endpoints set state = 'disabled', disabled_reason = 'gone', disabled_at = now() where id = $1",
      [at.endpointId],
    );
    expectRefusal(await recover(at, body), "conflict");
    await at.ada.delete(`/webhooks/${at.endpointId}`);
    expectRefusal(await recover(at, body), "not_found");
    expect(await deliveriesOf(at)).toEqual([]);
  });

  test("with the same details in a batch as alone", async () => {
    const at = await anEndpointWithMissedEvents(here, "3 hours");
    const body = { since: minutesAgo(-1), include: "failed" };
    const operations = [{ method: "POST", path: `/webhooks/${at.endpointId}/recover`, body }];
    const [result] = expectAnswer("batch", await at.ada.post("/batch", { operations })).results;
    expect(result).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", details: [{ path: "body.since" }] } },
    });
  });
});
