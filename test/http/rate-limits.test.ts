/** Rate limits in HTTP responses, with a clock of the test. (docs/specification/conventions.md#rate-limits) */

import { makeCredential } from "../../src/secrets/credentials.ts";
import { makeRateLimiter } from "../../src/web/rate-limiter.ts";
import { expectRefusal, rateLimitsOf } from "../support/answers.ts";
import { type Reply, type TestApi, testApi } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
let now = 1_800_000_000_000 - (1_800_000_000_000 % 60_000);
let api: TestApi;

beforeAll(async () => {
  api = await testApi(
    here.db,
    {},
    makeRateLimiter(() => now),
  );
});
beforeEach(() => {
  now += 60_000;
});
afterAll(() => api.stop());

const me = (key: string) => api.call("GET", "/me", { key });

/** Makes this many calls, four at a time. */
async function often(times: number, call: () => Promise<Reply>): Promise<Reply[]> {
  const answers: Reply[] = [];
  const caller = async () => {
    while (answers.length < times) {
      const place = answers.push({} as Reply) - 1;
      answers[place] = await call();
    }
  };
  await Promise.all([caller(), caller(), caller(), caller()]);
  return answers;
}

test("A key has 300 requests a minute, with any status", async () => {
  const ada = await here.owner("read");
  const key = ada.key.text;
  const policy = '"key";q=300;w=60, "organisation";q=1000;w=60';
  expect(rateLimitsOf(await me(key))).toEqual([policy, '"key";r=299;t=60, "organisation";r=999;t=60']);
  now += 30_000;
  const missed = await api.call("GET", "/bots/no-uuid", { key });
  expect(rateLimitsOf(missed)).toEqual([policy, '"key";r=298;t=30, "organisation";r=998;t=30']);
  for (const answer of await often(298, () => me(key))) expect(answer.status).toBe(200);

  const refused = await me(key);
  expectRefusal(refused, "rate_limited");
  expect(rateLimitsOf(refused)).toEqual([policy, '"key";r=0;t=30, "organisation";r=700;t=30']);
  expectRefusal(await api.call("PUT", "/me", { key }), "rate_limited");
  expectRefusal(await api.call("GET", "/bots?limit=0", { key }), "rate_limited");
  now += 30_000;
  expect(rateLimitsOf(await me(key))).toEqual([policy, '"key";r=299;t=60, "organisation";r=999;t=60']);
});

test("The credential is checked before the rate limit", async () => {
  const ada = await here.owner("read");
  await often(300, () => me(ada.key.text));
  expectRefusal(await me(ada.key.text), "rate_limited");
  expectRefusal(await api.call("GET", "/keys", { key: ada.key.text }), "unauthenticated");
  await here.db.sql("update app.api_keys set revoked_at = now() where id = $1", [ada.key.id]);
  expectRefusal(await me(ada.key.text), "unauthenticated");
});

test("A rate-limited request has no effect, is not stored, and can be sent again", async () => {
  const ada = await here.owner();
  const make = () => api.call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" }, idempotencyKey: "once" });
  await often(300, () => me(ada.key.text));
  expectRefusal(await make(), "rate_limited");
  now += 60_000;
  expect((await api.call("GET", "/bots", { key: ada.key.text })).body.data).toEqual([]);
  const made = await make();
  expect([made.status, made.headers.get("idempotent-replayed")]).toEqual([201, null]);
});

test("An organisation has 1,000 requests a minute over all its keys", async () => {
  const ada = await here.owner();
  const keys = [ada.key, ...(await Promise.all([1, 2, 3].map(async () => (await here.another(ada)).key)))];
  for (const key of keys.slice(0, 3)) await often(300, () => me(key.text));
  const last = keys[3]?.text ?? "";
  for (const answer of await often(100, () => me(last))) expect(answer.status).toBe(200);
  const refused = await me(last);
  expectRefusal(refused, "rate_limited");
  expect(rateLimitsOf(refused)[1]).toBe('"key";r=200;t=60, "organisation";r=0;t=60');
  const eve = await here.owner();
  expect((await me(eve.key.text)).status).toBe(200);
});

test("A platform key has 60 requests a minute", async () => {
  const operator = await here.platform();
  const list = () => api.call("GET", "/platform/organisations?limit=1", { key: operator.key.text });
  expect(rateLimitsOf(await list())).toEqual(['"platform-key";q=60;w=60', '"platform-key";r=59;t=60']);
  for (const answer of await often(59, list)) expect(answer.status).toBe(200);
  expectRefusal(await list(), "rate_limited");
});

test("An address has 60 unauthenticated requests a minute, which do not affect valid keys", async () => {
  const ada = await here.owner();
  const reader = await here.another(ada, "read");
  const before = await me(ada.key.text);
  await me(reader.key.text);
  const unknown = makeCredential("bsk").text;
  const kinds = [
    () => api.call("GET", "/me"),
    () => me("bsk_malformed"),
    () => me(unknown),
    () => api.call("GET", "/keys", { key: reader.key.text }),
  ];
  for (const kind of kinds) for (const answer of await often(15, kind)) expectRefusal(answer, "unauthenticated");
  for (const kind of kinds) {
    const refused = await kind();
    expectRefusal(refused, "rate_limited");
    expect(rateLimitsOf(refused)).toEqual([null, null]);
  }
  const after = await me(ada.key.text);
  expect(after.status).toBe(200);
  expect(rateLimitsOf(before)[1]).toBe('"key";r=299;t=60, "organisation";r=999;t=60');
  expect(rateLimitsOf(after)[1]).toBe('"key";r=298;t=60, "organisation";r=997;t=60');
  expect(rateLimitsOf(await me(reader.key.text))[1]).toBe('"key";r=298;t=60, "organisation";r=996;t=60');
  now += 60_000;
  expectRefusal(await me(unknown), "unauthenticated");
});

test("Successful requests do not count for the address", async () => {
  const ada = await here.owner();
  for (const answer of await often(100, () => me(ada.key.text))) expect(answer.status).toBe(200);
  for (const answer of await often(60, () => api.call("GET", "/me"))) expectRefusal(answer, "unauthenticated");
});
