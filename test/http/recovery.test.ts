/** What an endpoint missed is sent again. (decisions: "Beyond the specification", 2.) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeDeliveries, makeEvents, minutesAgo } from "../support/events.ts";
import { visits } from "../support/worker.ts";

const here = apiOfFile();
const hook = { url: "https://receiver.example/hook", events: ["run.finished"] };

type Shop = { ada: Member; organisationId: string; endpointId: string; eventId: string };

/** An endpoint, and an event of three hours ago of which it has no delivery. */
async function shop(): Promise<Shop> {
  const ada = await here.owner();
  const organisationId = ada.organisation.id;
  const [eventId = ""] = await makeEvents(here.db, { organisationId }, { ago: "3 hours" });
  return { ada, organisationId, eventId, endpointId: (await ada.post("/webhooks", hook)).body.id };
}

const recover = ({ ada, endpointId }: Shop, body: Json) => ada.post(`/webhooks/${endpointId}/recover`, body);
const recovered = async (at: Shop, body: Json) => expectAnswer("recover_webhook", await recover(at, body));

const statesOf = async (ids: string[]) =>
  (await here.db.sql<{ state: string }>("select state from app.deliveries where id = any ($1) order by id", [ids])).map(
    ({ state }) => state,
  );

const deliveriesOf = ({ endpointId }: Shop) =>
  here.db.sql<{ event_id: string; state: string }>(
    "select event_id, state from app.deliveries where endpoint_id = $1 order by id",
    [endpointId],
  );

describe("failed deliveries", () => {
  test("those of the time that is named begin a new round by hand, and no other delivery is touched", async () => {
    const at = await shop();
    const other = { ...at, endpointId: (await at.ada.post("/webhooks", hook)).body.id as string };
    const before = await makeDeliveries(here.db, at, { ago: "61 minutes" });
    const within = await makeDeliveries(here.db, at, { ago: "59 minutes", count: 3 });
    const after = await makeDeliveries(here.db, at, { ago: "29 minutes" });
    const theirs = await makeDeliveries(here.db, other, { ago: "45 minutes" });
    const delivered = await makeDeliveries(here.db, at, { ago: "45 minutes", state: "delivered" });
    const asked = { since: minutesAgo(60), until: minutesAgo(30), include: "failed" };
    expect(await recovered(at, asked)).toEqual({
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
    expect(await recovered(at, asked)).toMatchObject({ recovered: 0, hasMore: false });
  });

  test("all that one call sends again, or announces, is one visit to each endpoint", async () => {
    const at = await shop();
    const other = (await at.ada.post("/webhooks", hook)).body.id;
    const queued = async () => {
      const endpoints = (await visits(here.db)).map(({ endpoint }) => endpoint);
      return [at.endpointId, other].map((id) => endpoints.filter((endpoint) => endpoint === id).length);
    };
    await makeDeliveries(here.db, at, { ago: "10 minutes", count: 30 });
    expect(await recovered(at, { since: minutesAgo(20), include: "failed" })).toMatchObject({ recovered: 30 });
    expect(await queued()).toEqual([1, 0]);
    await here.db.sql("delete from app.deliveries where endpoint_id = $1", [at.endpointId]); // nothing is due before
    const botId = (await at.ada.post("/bots", { name: "Ada" })).body.id;
    for (let each = 0; each < 5; each += 1) await at.ada.post("/runs", { botId, message: "Hello?" });
    expectAnswer("delete_bot", await at.ada.delete(`/bots/${botId}`));
    expect(await deliveriesOf(at)).toHaveLength(5);
    expect(await queued()).toEqual([2, 1]);
  });

  test("since is within the time, until is not, to the millisecond", async () => {
    const at = await shop();
    const [id] = await makeDeliveries(here.db, at, { ago: "10 minutes" });
    const createdAt = (await at.ada.get(`/deliveries/${id}`)).body.createdAt;
    expect(await recovered(at, { since: minutesAgo(20), until: createdAt, include: "failed" })).toMatchObject({
      recovered: 0,
    });
    expect(await recovered(at, { since: createdAt, include: "failed" })).toMatchObject({ recovered: 1 });
  });

  test("more than a chunk holds are recovered one after the other, each of them once, by whoever follows nextSince", async () => {
    const at = await shop();
    const ids = await makeDeliveries(here.db, at, { ago: "2 hours", count: 1_300 });
    const asked = { since: minutesAgo(130), until: minutesAgo(1), include: "failed" };
    const chunks: number[] = [];
    for (let since: string | null = asked.since; since !== null; ) {
      const answer = await recovered(at, { ...asked, since });
      expect(answer.hasMore).toBe(answer.nextSince !== null);
      chunks.push(answer.recovered);
      since = answer.nextSince;
    }
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.reduce((sum, each) => sum + each)).toBe(1_300);
    expect(new Set(await statesOf(ids))).toEqual(new Set(["pending"]));
  });

  test("as many as were made in one millisecond are recovered together, and the next call goes on after them", async () => {
    const at = await shop();
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

  test("a time with nothing to recover in it is walked through in bounded steps", async () => {
    const at = await shop();
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

describe("missing events", () => {
  test("what happened while the endpoint was paused, or before it was there, gets a delivery; once", async () => {
    const at = await shop();
    await at.ada.patch(`/webhooks/${at.endpointId}`, { state: "paused" });
    const [whilePaused] = await makeEvents(here.db, at);
    await at.ada.patch(`/webhooks/${at.endpointId}`, { state: "active" });
    const [delivered] = await makeEvents(here.db, at);
    const [unasked] = await makeEvents(here.db, at, { kind: "approval.needed" });
    await makeEvents(here.db, at, { kind: "webhook.test" });
    expect(unasked).toBeDefined();
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

  test("an event with a delivery that failed is not missing, and one to another endpoint does not count", async () => {
    const at = await shop();
    const other = { ...at, endpointId: (await at.ada.post("/webhooks", hook)).body.id as string };
    await makeDeliveries(here.db, other, {});
    await makeDeliveries(here.db, at, {});
    expect(await recovered(at, { since: minutesAgo(200), include: "missing" })).toMatchObject({ recovered: 0 });
    const third = { ...at, endpointId: (await at.ada.post("/webhooks", hook)).body.id as string };
    expect(await recovered(third, { since: minutesAgo(200), include: "missing" })).toMatchObject({ recovered: 1 });
  });

  test("only the time that is named", async () => {
    const at = await shop();
    const [within] = await makeEvents(here.db, at, { ago: "2 hours" });
    await makeEvents(here.db, at, { ago: "1 hours" });
    await here.db.sql("delete from app.deliveries where endpoint_id = $1", [at.endpointId]);
    const asked = { since: minutesAgo(121), until: minutesAgo(119), include: "missing" };
    expect(await recovered(at, asked)).toMatchObject({ recovered: 1 });
    expect((await deliveriesOf(at)).map((row) => row.event_id)).toEqual([within]);
  });

  test("more than a chunk holds come one after the other", async () => {
    const at = await shop();
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

test("asked again under the same Idempotency-Key, it answers the same and recovers nothing more", async () => {
  const at = await shop();
  const path = `/webhooks/${at.endpointId}/recover`;
  const body = { since: minutesAgo(200), include: "missing" };
  const first = await at.ada.post(path, body, { idempotencyKey: "once" });
  expect(first.status).toBe(202);
  await here.db.sql("delete from app.deliveries where endpoint_id = $1", [at.endpointId]);
  const again = await at.ada.post(path, body, { idempotencyKey: "once" });
  expect(again.text).toBe(first.text);
  expect(await deliveriesOf(at)).toEqual([]);
});

describe("is refused", () => {
  test("for a time that is to come, no longer kept, or the wrong way round", async () => {
    const at = await shop();
    const asked = (since: string, until?: string) => recover(at, { since, until, include: "failed" });
    expectRefusal(await asked(minutesAgo(-1)), "invalid_request", ["body.since"]);
    expectRefusal(await asked(minutesAgo(30 * 24 * 60 + 1)), "invalid_request", ["body.since"]);
    expectRefusal(await asked("0001-01-01T00:00:00Z"), "invalid_request", ["body.since"]);
    const now = minutesAgo(0);
    expectRefusal(await asked(now, now), "invalid_request", ["body.until"]);
    expectRefusal(await asked(now, minutesAgo(1)), "invalid_request", ["body.until"]);
    expectAnswer("recover_webhook", await asked(minutesAgo(30 * 24 * 60 - 1), "9999-12-31T23:59:59.999Z"));
    await here.db.sql("update app.service_settings set delivery_retention = '2 days'");
    expectRefusal(await asked(minutesAgo(2 * 24 * 60 + 1)), "invalid_request", ["body.since"]);
    await here.db.sql("update app.service_settings set delivery_retention = default");
  });

  test("without its fields, or with others in their place", async () => {
    const at = await shop();
    const since = minutesAgo(5);
    expectRefusal(await recover(at, {}), "invalid_request", ["body.since", "body.include"]);
    expectRefusal(await recover(at, { since, include: "all" }), "invalid_request", ["body.include"]);
    expectRefusal(await recover(at, { since: "yesterday", include: "failed" }), "invalid_request", ["body.since"]);
    expectRefusal(await recover(at, { since, until: 5, include: "failed" }), "invalid_request", ["body.until"]);
  });

  test("at an endpoint that is paused, disabled, deleted or somebody else's; and nothing is written", async () => {
    const at = await shop();
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

  test("in a batch it says what was wrong as it does alone", async () => {
    const at = await shop();
    const body = { since: minutesAgo(-1), include: "failed" };
    const operations = [{ method: "POST", path: `/webhooks/${at.endpointId}/recover`, body }];
    const [result] = expectAnswer("batch", await at.ada.post("/batch", { operations })).results;
    expect(result).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", details: [{ path: "body.since" }] } },
    });
  });
});
