/** Rate limits in HTTP responses, with a clock of the test. (docs/specification/conventions.md#rate-limits) */

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

test("requests of any status count, and the headers show what is left until the minute ends", async () => {
  const ada = await here.owner("read");
  const key = ada.key.text;
  const policy = '"key";q=300;w=60, "organisation";q=1000;w=60';
  expect(rateLimitsOf(await me(key))).toEqual([policy, '"key";r=299;t=60, "organisation";r=999;t=60']);
  now += 30_000;
  const missed = await api.call("GET", "/bots/no-uuid", { key });
  expect(rateLimitsOf(missed)).toEqual([policy, '"key";r=298;t=30, "organisation";r=998;t=30']);
  await often(298, () => me(key));
  const refused = await me(key);
  expectRefusal(refused, "rate_limited");
  expect(rateLimitsOf(refused)).toEqual([policy, '"key";r=0;t=30, "organisation";r=700;t=30']);
  now += 30_000;
  expect(rateLimitsOf(await me(key))).toEqual([policy, '"key";r=299;t=60, "organisation";r=999;t=60']);
  const operator = await here.platform();
  const listed = await api.call("GET", "/platform/organisations?limit=1", { key: operator.key.text });
  expect(rateLimitsOf(listed)).toEqual(['"platform-key";q=60;w=60', '"platform-key";r=59;t=60']);
});

test("the credential is checked before the rate limit, and the rate limit before method and query", async () => {
  const ada = await here.owner("read");
  await often(300, () => me(ada.key.text));
  expectRefusal(await me(ada.key.text), "rate_limited");
  expectRefusal(await api.call("PUT", "/me", { key: ada.key.text }), "rate_limited");
  expectRefusal(await api.call("GET", "/bots?limit=0", { key: ada.key.text }), "rate_limited");
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
