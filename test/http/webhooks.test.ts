/** Webhook endpoints. (docs/specification/webhooks.md) */

import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { setLimits } from "../support/database.ts";
import { newEndpoint } from "../support/resources.ts";

const here = apiOfFile();
const secretShape = /^whsec_[A-Za-z0-9+/]{43}=$/;

async function withEndpoint(more: Json = {}): Promise<[Member, Json]> {
  const ada = await here.owner();
  const { secret, ...endpoint } = (await ada.post("/webhooks", { ...newEndpoint, ...more })).body;
  return [ada, endpoint];
}

/** Sets the state of an endpoint after ten failed deliveries. */
const disable = (endpoint: Json) =>
  here.db.sql(
    `update app.webhook_endpoints
     set state = 'disabled', consecutive_failures = 10, disabled_reason = 'consecutive_failures', disabled_at = now()
     where id = $1`,
    [endpoint.id],
  );

test("create_webhook returns an active endpoint, and shows its secret once", async () => {
  const ada = await here.owner();
  const made = await ada.post("/webhooks", newEndpoint);
  const { secret, ...endpoint } = expectAnswer("create_webhook", made);
  expect(secret).toMatch(secretShape);
  expect(made.headers.get("location")).toMatch(new RegExp(`/api/v1/webhooks/${endpoint.id}$`));
  expect(endpoint).toEqual({
    ...newEndpoint,
    id: endpoint.id,
    description: null,
    botIds: null,
    runStates: null,
    orderPerRun: false,
    state: "active",
    consecutiveFailures: 0,
    failingSince: null,
    secretLostSince: null,
    disabledReason: null,
    disabledAt: null,
    createdAt: endpoint.createdAt,
    lastDeliveryAt: null,
  });
  expect(expectAnswer("get_webhook", await ada.get(`/webhooks/${endpoint.id}`))).toEqual(endpoint);
  expect(expectAnswer("list_webhooks", await ada.get("/webhooks"))).toEqual({ data: [endpoint], nextCursor: null });
});

test("create_webhook removes duplicates of events, and names each missing field", async () => {
  const ada = await here.owner();
  const both = ["run.finished", "approval.needed"];
  expect((await ada.post("/webhooks", { ...newEndpoint, events: both })).body.events).toEqual(both);
  expect((await ada.post("/webhooks", { ...newEndpoint, events: [...both, ...both] })).body.events).toEqual(both);
  expectRefusal(await ada.post("/webhooks", {}), "invalid_request", ["body.url", "body.events"]);
});

test("The scheme of a webhook's URL is case-insensitive", async () => {
  const ada = await here.owner();
  const loud = await ada.post("/webhooks", { ...newEndpoint, url: "HTTPS://receiver.example/Hook" });
  expect(loud.body.url).toBe("https://receiver.example/Hook");
  const quiet = await ada.patch(`/webhooks/${loud.body.id}`, { url: "hTTps://other.example:8443/?a=b" });
  expect(quiet.body.url).toBe("https://other.example:8443/?a=b");
});

test.each([
  "//receiver.example",
  "https:receiver.example",
  "https://a b.example/",
  "https://receiver.example/\n",
  " https://receiver.example/",
  "https://receiver.example/\thook",
  "https://ada@receiver.example/",
  "https://ada:word@receiver.example/",
  "https://receiver.example/#hook",
  "https://receiver.example\\hook",
  "https://receiver.example:0/",
  "https://receiver..example/",
  "https://my_receiver.example/",
  "",
])("create_webhook and update_webhook refuse the URL %j", async (url) => {
  const [ada, endpoint] = await withEndpoint();
  expectRefusal(await ada.post("/webhooks", { ...newEndpoint, url }), "invalid_request");
  expectRefusal(await ada.patch(`/webhooks/${endpoint.id}`, { url }), "invalid_request");
  expect((await ada.get("/webhooks")).body.data).toEqual([endpoint]);
});

test.each([
  "localhost",
  "LOCALHOST.",
  "deep.localhost",
  "hooks",
  "hooks.internal",
  "hooks.default.svc",
  "hooks.default.svc.cluster.local",
  "printer.local",
  "router.home.arpa",
  "1.0.0.10.in-addr.arpa",
  "hooks.test",
  "hooks.invalid",
  "hooks.onion",
  "127.0.0.1",
  "0x7f.1",
  "2130706433",
  "[::1]",
  "[fd00::1]",
])("create_webhook and update_webhook refuse a URL with host %s", async (host) => {
  const [ada, endpoint] = await withEndpoint();
  const url = `https://${host}/hook`;
  expectRefusal(await ada.post("/webhooks", { ...newEndpoint, url }), "invalid_request", ["body.url"]);
  expectRefusal(await ada.patch(`/webhooks/${endpoint.id}`, { url }), "invalid_request", ["body.url"]);
  expect((await ada.get("/webhooks")).body.data).toEqual([endpoint]);
});

test("update_webhook changes one field and keeps the others", async () => {
  let [ada, endpoint] = await withEndpoint({ description: "First" });
  const changes: [string, unknown][] = [
    ["url", "https://other.example/"],
    ["description", "Second"],
    ["description", null],
    ["events", ["approval.needed"]],
    ["state", "paused"],
    ["state", "paused"],
    ["state", "active"],
  ];
  for (const [field, value] of changes) {
    const changed = expectAnswer("update_webhook", await ada.patch(`/webhooks/${endpoint.id}`, { [field]: value }));
    expect(changed).toEqual({ ...endpoint, [field]: value });
    endpoint = changed;
  }
  expect((await ada.get(`/webhooks/${endpoint.id}`)).body).toEqual(endpoint);
  expectRefusal(await ada.patch(`/webhooks/${endpoint.id}`, {}), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/webhooks/${endpoint.id}`, { secret: "mine" }), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/webhooks/${endpoint.id}`, { state: "disabled" }), "invalid_request", ["body.state"]);
  expectRefusal(await ada.patch(`/webhooks/${endpoint.id}`, { events: [] }), "invalid_request", ["body.events"]);
  expectRefusal(await ada.patch(`/webhooks/${endpoint.id}`, { url: null }), "invalid_request", ["body.url"]);
});

test("A disabled endpoint can be resumed, which resets its failures, but not paused", async () => {
  const [ada, endpoint] = await withEndpoint();
  await disable(endpoint);
  const disabled = expectAnswer("get_webhook", await ada.get(`/webhooks/${endpoint.id}`));
  expect(disabled).toMatchObject({
    state: "disabled",
    consecutiveFailures: 10,
    disabledReason: "consecutive_failures",
  });
  expect(disabled.disabledAt).not.toBeNull();
  expectRefusal(await ada.patch(`/webhooks/${endpoint.id}`, { state: "paused" }), "conflict");
  expect((await ada.patch(`/webhooks/${endpoint.id}`, { description: "Why?" })).body).toEqual({
    ...disabled,
    description: "Why?",
  });
  expect(expectAnswer("update_webhook", await ada.patch(`/webhooks/${endpoint.id}`, { state: "active" }))).toEqual({
    ...endpoint,
    description: "Why?",
  });
});

test("rotate_webhook_secret returns a new secret once and changes nothing else", async () => {
  const ada = await here.owner();
  const { secret: first, ...endpoint } = (await ada.post("/webhooks", newEndpoint)).body;
  const { secret: second, ...rotated } = expectAnswer(
    "rotate_webhook_secret",
    await ada.post(`/webhooks/${endpoint.id}/rotate`),
  );
  expect(second).toMatch(secretShape);
  expect(second).not.toBe(first);
  expect(rotated).toEqual(endpoint);
  expect((await ada.get(`/webhooks/${endpoint.id}`)).body).toEqual(endpoint);
});

test("paused and disabled endpoints count as live", async () => {
  const ada = await here.owner();
  await setLimits(here.db, ada.organisation.id, { liveWebhooks: 2 });
  const [paused, disabled] = [
    (await ada.post("/webhooks", newEndpoint)).body,
    (await ada.post("/webhooks", newEndpoint)).body,
  ];
  await ada.patch(`/webhooks/${paused.id}`, { state: "paused" });
  await disable(disabled);
  expectRefusal(await ada.post("/webhooks", newEndpoint), "quota_exceeded");
  expect((await ada.get("/me")).body.limits.liveWebhooks).toEqual({ limit: 2, used: 2 });
});
