/**
 * Keys that are accepted from some addresses only, or with a rate limit of their own, behind a proxy that forwards the address.
 * (docs/specification/keys.md#restrictions)
 */
import { randomUUID } from "node:crypto";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { expectAnswer, expectRefusal, rateLimitsOf } from "../support/answers.ts";
import { type Json, type Reply, type TestApi, testApi } from "../support/api.ts";
import { type Caller, type Member, ownApiOfFile } from "../support/callers.ts";
import { callAs, openSession } from "../support/portal-session.ts";
import { absent } from "../support/requests.ts";

const proxied = { TRUSTED_PROXIES: "127.0.0.0/8,::1" };
const [inside, outside] = ["192.0.2.7", "198.51.100.7"];
const here = ownApiOfFile(proxied);

/** Repeats a call that the service had no time for, as a client does. */
async function persistently(call: () => Promise<Reply<Json>>): Promise<Reply<Json>> {
  for (;;) {
    const reply = await call();
    if (reply.status !== 503) return reply;
  }
}

/** A new key with these restrictions, and calls with it from an address. */
async function restricted(ada: Member, restrictions: Json, at: { readonly api: TestApi } = here) {
  const { body: key } = await ada.post("/keys", { name: "CI", scope: "admin", ...restrictions });
  const from = (address: string | undefined, method: string, path: string, options: Json = {}) => {
    const headers: Record<string, string> = address === undefined ? {} : { "x-forwarded-for": address };
    return persistently(() =>
      at.api.call(method, path, { key: key.key, idempotencyKey: randomUUID(), ...options, headers }),
    );
  };
  return { key, from };
}

test.each([
  [["192.0.2.0/24"], [inside, "192.0.2.255", "::ffff:192.0.2.1"], [outside, "192.0.3.0", "2001:db8::1"]],
  [
    ["198.51.100.7", "2001:db8::/32"],
    [outside, "2001:db8:1::9"],
    [inside, "2001:db9::1", "198.51.100.8"],
  ],
  [["::/0"], ["2001:db8::1"], [inside, outside]],
])(
  "A key that allows %j is accepted from there, and elsewhere refused as an unknown key",
  async (allowedIps, accepted, refused) => {
    const ada = await here.owner();
    const { from } = await restricted(ada, { allowedIps });
    for (const address of accepted) expectAnswer("get_me", await from(address, "GET", "/me"));
    const unknown = await here.api.call("GET", "/me", { key: "bsk_unknown" });
    for (const address of [...refused, undefined]) {
      const reply = await from(address, "GET", "/me");
      expectRefusal(reply, "unauthenticated");
      const bare = (text: string) => text.replace(/"requestId":"[^"]*"/, "");
      expect(bare(reply.text)).toBe(bare(unknown.text));
      expect([...reply.headers.keys()]).toEqual([...unknown.headers.keys()]);
    }
    expectAnswer("get_me", await from(accepted[0], "GET", "/me"));
  },
);

test("create_key and update_key set blocks and rate limit; the row shows them in CIDR notation", async () => {
  const ada = await here.owner();
  const { key } = await restricted(ada, { allowedIps: ["192.0.2.7", "2001:DB8::1", "10.0.0.0/8"], ratePerMinute: 20 });
  expect(key.allowedIps).toEqual(["192.0.2.7/32", "2001:db8::1/128", "10.0.0.0/8"]);
  const path = `/keys/${key.id}`;
  const named = expectAnswer("update_key", await ada.patch(path, { name: "Deploy" }));
  expect(named).toMatchObject({ name: "Deploy", allowedIps: key.allowedIps, ratePerMinute: 20, scope: "admin" });
  const lifted = expectAnswer("update_key", await ada.patch(path, { allowedIps: null, ratePerMinute: null }));
  expect(lifted).toEqual({ ...named, allowedIps: null, ratePerMinute: null });
  expect((await ada.get(path)).body).toEqual(lifted);
  const fifty = Array.from({ length: 50 }, (_, n) => `10.0.${n}.0/24`);
  expect(expectAnswer("update_key", await ada.patch(path, { allowedIps: fifty })).allowedIps).toEqual(fifty);
  const { body: next } = await ada.post(`${path}/rotate`, {});
  expect(next.allowedIps).toEqual(fifty);

  for (const allowedIps of [[], [...fifty, "10.1.0.0/24"], "10.0.0.0/8"]) {
    expectRefusal(await ada.patch(path, { allowedIps }), "invalid_request", ["body.allowedIps"]);
  }
  const wrong = ["here", "10.0.0.1/8", "10.0.0.0/33", "010.0.0.1", "::ffff:10.0.0.0/104", "fe80::1%eth0", ""];
  const paths = wrong.map((_, place) => `body.allowedIps.${place}`);
  expectRefusal(await ada.post("/keys", { name: "CI", allowedIps: wrong }), "invalid_request", paths);
  for (const ratePerMinute of [0, 301, 1.5, "20"]) {
    expectRefusal(await ada.patch(path, { ratePerMinute }), "invalid_request", ["body.ratePerMinute"]);
  }
  expectRefusal(await ada.patch(path, {}), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/keys/${absent}`, { name: "CI" }), "not_found");
  expectRefusal(await (await here.owner()).patch(path, { name: "CI" }), "not_found");
});

test("A restricted key is refused elsewhere in a batch, a replay, a waiting read and a stream", async () => {
  const ada = await here.owner();
  const { key, from } = await restricted(ada, { allowedIps: ["192.0.2.0/24"] });
  const botId = (await ada.post("/bots", { name: "Ada" })).body.id;
  const operations = [{ method: "POST", path: "/bots", body: { name: "Bob" } }];
  const batch = { body: { operations }, idempotencyKey: "batch" };
  expectRefusal(await from(outside, "POST", "/batch", batch), "unauthenticated");
  expect((await ada.get("/bots")).body.data).toHaveLength(1);
  expectAnswer("batch", await from(inside, "POST", "/batch", batch));
  expectRefusal(await from(outside, "POST", "/batch", batch), "unauthenticated"); // a replay
  const { body: run } = await from(inside, "POST", "/runs", { body: { botId, message: "Hi" } });
  for (const path of [`/runs/${run.id}?wait=1`, `/runs/${run.id}/events`]) {
    expectRefusal(await from(outside, "GET", path), "unauthenticated");
  }

  const stream = await fetch(`${here.api.url}/api/v1/runs/${run.id}/events`, {
    headers: { authorization: `Bearer ${key.key}`, "x-forwarded-for": inside },
  });
  expect(stream.status).toBe(200);
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await ada.patch(`/keys/${key.id}`, { allowedIps: ["203.0.113.1"] });
  await ada.post(`/runs/${run.id}/cancel`);
  for (;;) if ((await reader.read()).done) break; // it ends without the run's events
  expectRefusal(await from(inside, "GET", "/me"), "unauthenticated");
});

test("Grouped reads and writes of one key check the address of each call", async () => {
  const ada = await here.owner();
  const { from } = await restricted(ada, { allowedIps: ["192.0.2.0/24"] });
  await from(inside, "GET", "/me");
  const memory = { scope: "organisation", kind: "k", subject: "s", value: "v" };
  const calls = Array.from({ length: 60 }, (_, n) => {
    const address = n % 2 ? inside : outside;
    return n % 3 ? from(address, "GET", "/me") : from(address, "POST", "/memories", { body: memory });
  });
  const replies = await Promise.all(calls);
  expect(replies.map(({ status }) => status)).toEqual(replies.map((_, n) => (n % 2 === 0 ? 401 : n % 3 ? 200 : 201)));
  expect((await ada.get("/memories")).body.data).toHaveLength(replies.filter(({ status }) => status === 201).length);
});

describe.each(["process", "shared"])("With RATE_LIMITS=%s", (mode) => {
  const now = 1_800_000_000_000;
  const limited = {} as { api: TestApi };
  beforeAll(async () => {
    if (mode === "shared") {
      await here.db.sql(
        `create or replace function limits.clock() returns timestamptz language sql as $$ select '2027-01-01'::timestamptz $$`,
      );
    }
    const buckets = makeRateLimiter(() => now, { ...specified, address: 100_000 });
    limited.api = await testApi(here.db, { ...proxied, RATE_LIMITS: mode }, buckets);
  });
  afterAll(() => limited.api?.stop());

  test("a key has its own rate limit, which headers show and other keys do not share", async () => {
    const ada = await here.owner();
    const { key, from } = await restricted(ada, { ratePerMinute: 3 }, limited);
    const policy = '"key";q=3;w=60, "organisation";q=1000;w=60';
    for (const left of [2, 1, 0]) {
      const reply = await from(inside, "GET", "/me");
      expectAnswer("get_me", reply);
      expect(rateLimitsOf(reply)[0]).toBe(policy);
      expect(rateLimitsOf(reply)[1]).toContain(`"key";r=${left};`);
    }
    const refused = await from(inside, "GET", "/me");
    expectRefusal(refused, "rate_limited");
    expect(rateLimitsOf(refused)[0]).toBe(policy);
    const others = await Promise.all(
      Array.from({ length: 20 }, () => persistently(() => limited.api.call("GET", "/me", { key: ada.key.text }))),
    );
    expect(others.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await ada.get(`/keys/${key.id}`)).body.ratePerMinute).toBe(3);
  });

  test("concurrent calls of a key pass at most its own rate limit", async () => {
    const { from } = await restricted(await here.owner(), { ratePerMinute: 10 }, limited);
    const replies = await Promise.all(Array.from({ length: 30 }, () => from(inside, "GET", "/me")));
    const passed = replies.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThan(0);
    expect(passed).toBeLessThanOrEqual(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30 - passed);
  });

  test("calls from elsewhere use nothing of the key's rate limit", async () => {
    const allowedIps = ["192.0.2.0/24"];
    const { from } = await restricted(await here.owner(), { allowedIps, ratePerMinute: 5 }, limited);
    await from(inside, "GET", "/me");
    for (let each = 0; each < 10; each += 1) expectRefusal(await from(outside, "GET", "/me"), "unauthenticated");
    const reply = await from(inside, "GET", "/me");
    expect(rateLimitsOf(reply)[1]).toContain('"key";r=3;');
  });
});

test("The database refuses a block list that is empty, too long or has a null", async () => {
  const ada: Caller & { key: { id: string } } = await here.owner();
  const set = (value: string) =>
    here.db.sql(`update app.api_keys set allowed_ips = ${value} where id = $1`, [ada.key.id]);
  for (const value of ["'{}'", "array[null]::cidr[]", "array_fill('10.0.0.0/8'::cidr, array[51])"]) {
    await expect(set(value)).rejects.toMatchObject({ code: "23514" });
  }
});

test("A key limited to addresses cannot create, widen or rotate a key beyond them", async () => {
  const ada = await here.owner();
  const { key: other } = await here.another(ada);
  const { key, from } = await restricted(ada, { allowedIps: ["192.0.2.0/24"] });
  const made = await from(inside, "POST", "/keys", { body: { name: "Inherits", scope: "admin" } });
  expect([made.status, made.body.allowedIps]).toEqual([201, ["192.0.2.0/24"]]);
  const narrow = await from(inside, "POST", "/keys", { body: { name: "Narrower", allowedIps: ["192.0.2.7/32"] } });
  expect([narrow.status, narrow.body.allowedIps]).toEqual([201, ["192.0.2.7/32"]]);
  const detail = { path: "body.allowedIps", message: expect.stringContaining("your own key") };
  const wide = await from(inside, "POST", "/keys", { body: { name: "Wide", allowedIps: ["0.0.0.0/0"] } });
  expect([wide.status, wide.body.error.details]).toEqual([400, [detail]]);
  for (const id of [key.id, other.id]) {
    const cleared = await from(inside, "PATCH", `/keys/${id}`, { body: { allowedIps: null } });
    expect([cleared.status, cleared.body.allowedIps]).toEqual([200, ["192.0.2.0/24"]]);
  }
  const { key: third } = await here.another(ada);
  const rotated = await from(inside, "POST", `/keys/${third.id}/rotate`, { body: {} });
  expect([rotated.status, rotated.body.allowedIps]).toEqual([201, ["192.0.2.0/24"]]);
  const { body: elsewhere } = await ada.post("/keys", { name: "Elsewhere", allowedIps: ["198.51.100.0/24"] });
  expectRefusal(await from(inside, "POST", `/keys/${elsewhere.id}/rotate`, { body: {} }), "invalid_request");
});

test("A key limited to the proxy's own network is refused where the proxy names no address", async () => {
  const ada = await here.owner();
  const { from } = await restricted(ada, { allowedIps: ["127.0.0.0/8", "::1/128", "192.0.2.0/24"] });
  for (const named of ["unknown", "<script>", "198.51.100.7:4711"])
    expectRefusal(await from(named, "GET", "/me"), "unauthenticated");
  expect((await from("192.0.2.7:4711", "GET", "/me")).status).toBe(200);
});

test("A portal session that a key limited to addresses made creates keys only within them", async () => {
  const ada = await here.owner();
  const { from } = await restricted(ada, { allowedIps: ["192.0.2.0/24"] });
  const { url } = (await from(inside, "POST", "/portal-sessions", { body: {} })).body;
  const session = await openSession(here.api.url, url);
  const create = (body: object) => callAs(here.api.url, session, "/keys", { method: "POST", body });
  const made = await create({ name: "Inherits", scope: "admin" });
  expect([made.status, made.body.allowedIps]).toEqual([201, ["192.0.2.0/24"]]);
  const wide = await create({ name: "Wide", allowedIps: ["0.0.0.0/0"] });
  expect([wide.status, wide.body.error.details[0].path]).toEqual([400, "body.allowedIps"]);
});
