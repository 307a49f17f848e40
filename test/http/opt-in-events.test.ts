/** Event kinds that are stored only while an endpoint subscribes to them, and filters of endpoints. (docs/specification/events.md#opt-in) */
import type { Pool } from "pg";
import { optInEvents } from "../../src/contract/opt-in-events.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { newEndpoint } from "../support/resources.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

const kinds = optInEvents.map(({ kind }) => kind);
const memory = { scope: "organisation", kind: "place", subject: "Zanzibar", value: "Cloves come from Zanzibar." };

/** The stored opt-in events of an organisation, in the order in which they were written: kind, then data. */
async function stored(organisationId: string): Promise<[string, Json][]> {
  const rows = await here.db.sql<{ kind: string; data: Json }>(
    "select kind::text, data from app.events where organisation_id = $1 and kind::text = any ($2) order by id",
    [organisationId, kinds],
  );
  return rows.map(({ kind, data }) => [kind, data]);
}

/** The owner of an organisation with an endpoint for these kinds. */
async function subscriber(
  events: string[] = kinds,
  more: Json = {},
): Promise<{ ada: Member; id: string; webhook: string }> {
  const ada = await here.owner();
  const webhook = (await ada.post("/webhooks", { ...newEndpoint, events, ...more })).body.id;
  return { ada, id: ada.organisation.id, webhook };
}

test("memories announce creation, change and deletion with ids only, once each, also in a batch and under replay", async () => {
  const { ada, id } = await subscriber();
  const replayed = { idempotencyKey: "memories-1" };
  const one = (await ada.post("/memories", memory, replayed)).body.id;
  await ada.post("/memories", memory, replayed);
  const batch = await ada.post("/batch", {
    operations: [
      { method: "POST", path: "/memories", body: memory },
      { method: "PATCH", path: `/memories/${one}`, body: { value: "Cloves and nutmeg." } },
    ],
  });
  const two = batch.body.results[0].body.id;
  await ada.patch(`/memories/${one}`, { value: "Cloves and nutmeg." }); // changes nothing
  await ada.delete(`/memories/${one}`);
  await ada.post("/memories/erase", { subjectKind: "organisation", subject: "zanzibar" });
  expect(await stored(id)).toEqual([
    ["memory.created", { memoryId: one, botId: null, supersedes: null }],
    ["memory.created", { memoryId: two, botId: null, supersedes: null }],
    ["memory.updated", { memoryId: one, botId: null }],
    ["memory.deleted", { memoryId: one, botId: null }],
    ["memory.deleted", { memoryId: two, botId: null }],
  ]);
});

test("a rebuilt search vector announces no change of a memory", async () => {
  const { ada, id } = await subscriber(["memory.updated"]);
  const made = (await ada.post("/memories", memory)).body.id;
  await here.db.sql("update app.memories set search_vector = '' where id = $1", [made]);
  expect(await stored(id)).toEqual([]);
});

test("a run announces its first start and each block, but no later start", async () => {
  const { who, executor } = await workplace(here, pool);
  await who.ask("POST", "/webhooks", { ...newEndpoint, events: kinds });
  const runId = await who.run();
  const run = await leased(executor);
  await executor.step(run, 7);
  await executor.block(run);
  await who.ask("POST", `/runs/${runId}/resume`, { message: "The 5th." });
  await executor.block(await leased(executor));
  const { conversationId } = (await who.ask("GET", `/runs/${runId}`)).body;
  const data = { runId, botId: who.bot, conversationId, routineId: null, trigger: "api", taint: false };
  const blocked = { ...data, state: "blocked", steps: 1, spendMicroCents: 7 };
  expect(await stored(who.organisation.id)).toEqual([
    ["run.started", { ...data, state: "running" }],
    ["run.blocked", blocked],
    ["run.blocked", blocked],
  ]);
});

test("keys announce creation, rotation and revocation, once each", async () => {
  const { ada, id } = await subscriber();
  const made = (await ada.post("/keys", { name: "CI", scope: "write" })).body.id;
  const rotated = (await ada.post(`/keys/${made}/rotate`, {})).body.id;
  await ada.delete(`/keys/${rotated}`);
  await ada.delete(`/keys/${rotated}`);
  const data = (keyId: string) => ({ keyId, scope: "write", userId: ada.organisation.ownerId });
  expect(await stored(id)).toEqual([
    ["key.created", data(made)],
    ["key.created", data(rotated)],
    ["key.revoked", data(rotated)],
  ]);
});

test("an accepted invitation, a changed role and a removal are announced", async () => {
  const { ada, id } = await subscriber();
  const email = `guest.${process.pid}@example.test`;
  const invitationId = (await ada.post("/invitations", { email, role: "member" })).body.id;
  await accept(here.api, await tokenOf(here.db, invitationId));
  const userId = (await ada.get("/members")).body.data.find((member: Json) => member.email === email).userId;
  await ada.patch(`/members/${userId}`, { role: "admin" });
  await ada.delete(`/members/${userId}`);
  const announced = await stored(id);
  expect(announced.slice(0, 2).toSorted()).toEqual([
    ["invitation.accepted", { invitationId, userId, role: "member" }],
    ["member.added", { userId, role: "member" }],
  ]);
  expect(announced.slice(2)).toEqual([
    ["member.role_changed", { userId, role: "admin" }],
    ["member.removed", { userId, role: "admin" }],
  ]);
});

test("a disabled endpoint is announced to the other endpoints", async () => {
  const { ada, id, webhook } = await subscriber(["endpoint.disabled"]);
  const other = (await ada.post("/webhooks", { ...newEndpoint, events: ["endpoint.disabled"] })).body.id;
  await here.db.sql(
    "update app.webhook_endpoints set state = 'disabled', disabled_reason = 'gone', disabled_at = now() where id = $1",
    [webhook],
  );
  expect(await stored(id)).toEqual([["endpoint.disabled", { webhookId: webhook, reason: "gone" }]]);
  const deliveries = async (to: string) => (await ada.get(`/webhooks/${to}/deliveries`)).body.data.length;
  expect([await deliveries(webhook), await deliveries(other)]).toEqual([0, 1]);
});

test("the write that uses a limit up announces it, and a refused one announces nothing", async () => {
  const { ada, id } = await subscriber(["organisation.limit_reached"]);
  await setLimits(here.db, id, { liveWebhooks: 3 });
  const statuses: number[] = [];
  for (let each = 0; each < 3; each += 1) statuses.push((await ada.post("/webhooks", newEndpoint)).status);
  expect(statuses).toEqual([201, 201, 429]);
  expect(await stored(id)).toEqual([["organisation.limit_reached", { limit: "liveWebhooks", maximum: 3, used: 3 }]]);
});

test("the step that reaches the spending limit announces it once", async () => {
  const { who, executor } = await workplace(here, pool);
  await who.ask("POST", "/webhooks", { ...newEndpoint, events: ["organisation.limit_reached"] });
  await setLimits(here.db, who.organisation.id, { monthlySpendMicroCents: 10 });
  await who.run();
  const run = await leased(executor);
  for (const spend of [9, 1, 1]) await executor.step(run, spend);
  expect(await stored(who.organisation.id)).toEqual([
    ["organisation.limit_reached", { limit: "monthlySpendMicroCents", maximum: 10, used: 10 }],
  ]);
});

test("nothing is stored for a kind without a subscriber, nor after the subscriber is deleted", async () => {
  const { ada, id, webhook } = await subscriber(["memory.deleted"]);
  const made = (await ada.post("/memories", memory)).body.id;
  await ada.delete(`/webhooks/${webhook}`);
  await ada.delete(`/memories/${made}`);
  await makeMember(here.db, id, "member");
  expect(await stored(id)).toEqual([]);
});

test("a paused subscriber keeps events in the feed, and recovers them as missing", async () => {
  const { ada, id, webhook } = await subscriber(["memory.created"]);
  await ada.patch(`/webhooks/${webhook}`, { state: "paused" });
  const made = (await ada.post("/memories", memory)).body.id;
  expect(await stored(id)).toEqual([["memory.created", { memoryId: made, botId: null, supersedes: null }]]);
  await ada.patch(`/webhooks/${webhook}`, { state: "active" });
  const since = (await ada.get(`/webhooks/${webhook}`)).body.createdAt;
  expect((await ada.post(`/webhooks/${webhook}/recover`, { since, include: "missing" })).body.recovered).toBe(1);
});

test("an endpoint gets only events of its bots and in its run states, also when it recovers missing ones", async () => {
  const ada = await here.owner();
  const [mine, other] = [
    (await ada.post("/bots", { name: "Ada" })).body.id,
    (await ada.post("/bots", { name: "Eve" })).body.id,
  ];
  const filters = { events: ["run.finished", "memory.created"], botIds: [mine], runStates: ["cancelled"] };
  const endpoint = (await ada.post("/webhooks", { ...newEndpoint, ...filters })).body;
  expect(endpoint).toMatchObject({ ...filters, orderPerRun: false });
  const delivered = async (id: string) => {
    const { data } = (await ada.get(`/webhooks/${id}/deliveries`)).body;
    const payloads = data.map(
      async (delivery: Json) => (await ada.get(`/deliveries/${delivery.id}`)).body.payload.data,
    );
    return ((await Promise.all(payloads)) as Json[]).map(({ runId, memoryId }) => runId ?? memoryId).toSorted();
  };
  const runs: string[] = [];
  for (const [botId, state] of [
    [mine, "cancelled"],
    [mine, "failed"],
    [other, "cancelled"],
  ]) {
    const run = (await ada.post("/runs", { botId, message: "Hello" })).body.id;
    runs.push(run);
    await here.db.sql(
      `update app.runs set state = $2::app.run_state, error = case when $2 = 'failed' then 'internal'::app.run_error end where id = $1`,
      [run, state],
    );
  }
  const ofAll = (await ada.post("/memories", memory)).body.id;
  const ofMine = (await ada.post("/memories", { ...memory, scope: "bot", botId: mine })).body.id;
  await ada.post("/memories", { ...memory, scope: "bot", botId: other });
  const wanted = [runs[0], ofAll, ofMine].toSorted();
  expect(await delivered(endpoint.id)).toEqual(wanted);

  const late = (await ada.post("/webhooks", { ...newEndpoint, ...filters })).body;
  const since = endpoint.createdAt;
  expect((await ada.post(`/webhooks/${late.id}/recover`, { since, include: "missing" })).body.recovered).toBe(3);
  expect(await delivered(late.id)).toEqual(wanted);

  await ada.patch(`/webhooks/${late.id}`, { botIds: null, runStates: null });
  expect((await ada.post(`/webhooks/${late.id}/recover`, { since, include: "missing" })).body.recovered).toBe(3);
});

test("filters name one to 100 bots and at least one state of runs that an event can have", async () => {
  const ada = await here.owner();
  const refused = async (body: Json) => {
    const { status, body: refusal } = await ada.post("/webhooks", { ...newEndpoint, ...body });
    return [status, refusal.error.details[0].path];
  };
  const bot = "019aa0e4-5b00-7a00-8000-000000000005";
  const bots = Array.from({ length: 101 }, (_, index) => bot.slice(0, -3) + String(index).padStart(3, "0"));
  expect(await refused({ botIds: [] })).toEqual([400, "body.botIds"]);
  expect(await refused({ botIds: bots })).toEqual([400, "body.botIds"]);
  expect(await refused({ botIds: ["ada"] })).toEqual([400, "body.botIds.0"]);
  expect(await refused({ runStates: [] })).toEqual([400, "body.runStates"]);
  expect(await refused({ runStates: ["queued"] })).toEqual([400, "body.runStates.0"]);
  expect(await refused({ orderPerRun: null })).toEqual([400, "body.orderPerRun"]);
  const { body } = await ada.post("/webhooks", { ...newEndpoint, botIds: bots.slice(0, 100) });
  expect(body.botIds).toHaveLength(100);
});
