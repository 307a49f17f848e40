/** Several operations in one request, each as if sent alone. (docs/specification/batch.md) */
import { refusals } from "../../src/contract/refusals.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { expectAnswer, expectRefusal, statusesOf } from "../support/answers.ts";
import { type Json, type Reply, testApi } from "../support/api.ts";
import { apiOfFile, type Caller } from "../support/callers.ts";
import { absent } from "../support/requests.ts";

const here = apiOfFile();

const make = (name = "Ada"): Json => ({ method: "POST", path: "/bots", body: { name } });
const get = (path: string): Json => ({ method: "GET", path });
const batch = (caller: Caller, operations: Json[], more: Json = {}): Promise<Reply<Json>> =>
  caller.post("/batch", { operations, ...more });
const results = async (caller: Caller, operations: Json[]): Promise<Json[]> =>
  expectAnswer("batch", await batch(caller, operations)).results;
const codes = (all: Json[]) => all.map(({ body }) => body.error?.code ?? null);
const bots = async (caller: Caller) => (await caller.get("/bots?limit=200")).body.data;

test("batch returns the results in the order of its operations, with their ids", async () => {
  const ada = await here.owner();
  const operations = [{ id: "first", ...make("One") }, make("Two"), { id: "ü 🚢", ...get("/bots?limit=1") }];
  const done = await results(ada, operations);
  expect(done.map(({ id }) => id)).toEqual(["first", null, "ü 🚢"]);
  expect(statusesOf(done)).toEqual([201, 201, 200]);
  expect(done.slice(0, 2).map(({ body }) => body.name)).toEqual(["One", "Two"]);
  expect(done[2].body.data.map((row: Json) => row.name)).toEqual(["Two"]);
});

test("batch returns for each operation what it returns alone", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const paths = ["/me", "/organisation", "/members", "/bots", `/bots/${bot.id}`, `/bots/${absent}`, "/bots?limit=0"];
  const done = await results(ada, paths.map(get));
  for (const [place, path] of paths.entries()) {
    const { status, body, headers } = await ada.get(path);
    if (body.error) body.error.requestId = expect.any(String);
    expect([path, done[place]]).toEqual([path, { id: null, status, reason: null, etag: headers.get("etag"), body }]);
  }
});

test("A batched operation sees what earlier operations wrote", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const path = `/bots/${bot.id}`;
  const done = await results(ada, [
    { method: "PATCH", path, body: { name: "Bob" } },
    get(path),
    { method: "DELETE", path },
    get(path),
    make("New"),
    get("/bots"),
  ]);
  expect(statusesOf(done)).toEqual([200, 200, 200, 404, 201, 200]);
  expect(done[1].body.name).toBe("Bob");
  expect(done[5].body.data.map((row: Json) => row.id)).toEqual([done[4].body.id]);
});

test("A batched query may contain a second question mark", async () => {
  const ada = await here.owner();
  const subject = "Who goes there? And why?";
  const newMemory = { scope: "organisation", kind: "fact", subject, subjectKind: "organisation", value: "A friend" };
  const { body: memory } = await ada.post("/memories", newMemory);
  const path = `/memories?subject=${subject.replaceAll(" ", "+")}`;
  const [found] = await results(ada, [get(path)]);
  for (const { body } of [found, await ada.get(path)])
    expect(body.data.map((row: Json) => row.id)).toEqual([memory.id]);
});

test("batch accepts 50 operations and refuses 51, none and malformed ones by path", async () => {
  const ada = await here.owner();
  const fifty = Array.from({ length: 50 }, (_, each) => make(`Bot ${each}`));
  expect(statusesOf(await results(ada, fifty))).toEqual(Array(50).fill(201));
  expect((await bots(ada)).map((bot: Json) => bot.name).toReversed()).toEqual(fifty.map(({ body }) => body.name));
  const refused: [Json, string[]][] = [
    [{ operations: [...fifty, make()] }, ["body.operations"]],
    [{ operations: [] }, ["body.operations"]],
    [{}, ["body.operations"]],
    [{ operations: make() }, ["body.operations"]],
    [{ operations: [make()], atomic: "yes" }, ["body.atomic"]],
    [{ operations: [make(), 1] }, ["body.operations.1"]],
    [{ operations: [make(), { ...make(), method: "PUT" }] }, ["body.operations.1.method"]],
    [{ operations: [make(), make(), { method: "GET" }] }, ["body.operations.2.path"]],
    [{ operations: [{ ...make(), path: `/${"a".repeat(5000)}` }] }, ["body.operations.0.path"]],
    [{ operations: [{ ...make(), body: ["name"] }] }, ["body.operations.0.body"]],
    [{ operations: [{ ...make(), id: "" }] }, ["body.operations.0.id"]],
    [{ operations: [{ ...make(), id: 7 }] }, ["body.operations.0.id"]],
  ];
  for (const [body, paths] of refused) expectRefusal(await ada.post("/batch", body), "invalid_request", paths);
  expectRefusal(await ada.post("/batch", { operations: [make()] }, { idempotencyKey: null }), "invalid_request", [
    "headers.idempotency-key",
  ]);
  expect(await bots(ada)).toHaveLength(50);
});

test("batch refuses a nested batch, in any spelling of its path, and runs no operation", async () => {
  const ada = await here.owner();
  const inner = { operations: [make("Nested")] };
  for (const path of ["/batch", "/batch?atomic=true", "/%62atch", "/batch#fragment"]) {
    const refused = await batch(ada, [make(), { method: "POST", path, body: inner }]);
    expectRefusal(refused, "invalid_request", ["body.operations.1.path"]);
  }
  expectRefusal(await batch(ada, [get("/batch")]), "invalid_request", ["body.operations.0.path"]);
  expect(await bots(ada)).toEqual([]);
});

test("A read key cannot send a batch; a write key gets unauthenticated for each operation that needs an admin key", async () => {
  const writer = await here.owner("write");
  const admin = await here.another(writer, "admin");
  expectRefusal(await batch(await here.another(writer, "read"), [get("/bots")]), "unauthenticated");
  const done = await results(writer, [
    make(),
    { method: "POST", path: "/keys", body: { name: "CI", scope: "admin" } },
    { method: "POST", path: "/keys", body: {} },
    get("/webhooks"),
    { method: "PATCH", path: "/keys", body: {} },
    { method: "PATCH", path: "/organisation", body: { name: "Mine" } },
    get("/organisation"),
  ]);
  expect(statusesOf(done)).toEqual([201, 401, 401, 401, 401, 401, 200]);
  for (const { body } of done.filter(({ status }) => status === 401)) {
    const { message } = refusals.unauthenticated;
    expect(body).toEqual({ error: { code: "unauthenticated", message, requestId: expect.any(String) } });
  }
  expect((await admin.get("/keys")).body.data).toHaveLength(3);
  expect((await admin.get("/organisation")).body.name).not.toBe("Mine");
});

test("A batch with an organisation's key refuses platform operations and pages", async () => {
  const ada = await here.owner();
  const done = await results(ada, [
    get("/platform/organisations"),
    { method: "POST", path: "/platform/organisations", body: { name: "X", owner: { email: "x@example.test" } } },
    get(`/invitation/${absent}`),
    { method: "POST", path: `/invitation/${absent}` },
  ]);
  expect(statusesOf(done)).toEqual([401, 401, 400, 400]);
  expect(await here.db.sql("select from app.people where email = 'x@example.test'")).toEqual([]);
});

test("A batched operation with an unknown path is 400, an unknown method 405, a malformed id 404", async () => {
  const ada = await here.owner();
  const paths = ["/nothing", "/", "", "bots", "//bots", "/bots/", "/Bots", "http://127.0.0.1/api/v1/bots", "/../bots"];
  const done = await results(ada, [
    ...paths.filter(Boolean).map(get),
    get("/bots/no-uuid"),
    { method: "DELETE", path: "/bots" },
    { method: "POST", path: `/bots/${absent}`, body: { name: "" } },
  ]);
  expect(codes(done.slice(0, -3))).toEqual(Array(done.length - 3).fill("invalid_request"));
  expect(codes(done.slice(-3, -2))).toEqual(["not_found"]);
  expect(codes(done.slice(-2))).toEqual(["not_supported", "not_supported"]);
});

test("batch validates each operation with paths of its own, and runs the valid ones", async () => {
  const ada = await here.owner();
  const done = await results(ada, [
    make("One"),
    make(""),
    { method: "POST", path: "/bots", body: { name: 1, instructions: "a".repeat(20_001) } },
    { method: "POST", path: "/bots" },
    get("/bots?limit=0"),
    get("/bots?limit=1&limit=2"),
    { method: "PATCH", path: `/bots/${absent}`, body: {} },
    make("Two"),
  ]);
  expect(statusesOf(done)).toEqual([201, 400, 400, 400, 400, 400, 400, 201]);
  const paths = done.map(({ body }) => body.error?.details.map((detail: Json) => detail.path) ?? []);
  expect(paths).toEqual([
    [],
    ["body.name"],
    ["body.name", "body.instructions"],
    ["body.name"],
    ["query.limit"],
    ["query.limit"],
    ["body"],
    [],
  ]);
  expect((await bots(ada)).map((bot: Json) => bot.name)).toEqual(["Two", "One"]);
});

test("Limits, payment and roles apply to each operation of a batch", async () => {
  const ada = await here.owner();
  const key = { method: "POST", path: "/keys", body: { name: "CI" } };
  const made = await results(ada, Array(25).fill(key));
  expect(statusesOf(made)).toEqual([...Array(19).fill(201), ...Array(6).fill(429)]);
  expect(codes(made.slice(19))).toEqual(Array(6).fill("quota_exceeded"));
  expect((await ada.get("/keys?limit=200")).body.data).toHaveLength(20);
  await here.db.sql("update app.organisations set billing_state = 'none' where id = $1", [ada.organisation.id]);
  const own = `/members/${ada.organisation.ownerId}`;
  const done = await results(ada, [
    { method: "POST", path: "/invitations", body: { email: "guest@example.test" } },
    { method: "DELETE", path: own },
    { method: "PATCH", path: own, body: { role: "admin" } },
    { method: "DELETE", path: `/keys/${made[0].body.id}` },
    key,
  ]);
  expect(codes(done)).toEqual(["payment_required", "forbidden", "forbidden", null, null]);
});

test("Each batched operation consumes one request of the rate limit, refused and replayed ones too", async () => {
  const ada = await here.owner();
  const api = await testApi(
    here.db,
    {},
    makeRateLimiter(() => 0, { ...specified, key: 100 }),
  );
  try {
    const ask = (count: number, idempotencyKey?: string) =>
      api.call("POST", "/batch", {
        key: ada.key.text,
        body: { operations: Array(count).fill(get("/nothing")) },
        ...(idempotencyKey ? { idempotencyKey } : {}),
      });
    const left = (reply: Reply) => Number(reply.headers.get("ratelimit")?.match(/"key";r=(\d+)/)?.[1]);
    expect(left(await ask(50, "once"))).toBe(50);
    expect(left(await ask(1))).toBe(49);
    const replay = await ask(50, "once");
    expectRefusal(replay, "rate_limited"); // 49 are left, and a batch consumes all of its operations or none
    expect(left(replay)).toBe(49);
    expect(left(await ask(49))).toBe(0);
    expectRefusal(await ask(1), "rate_limited");
    expectRefusal(await api.call("GET", "/me", { key: ada.key.text }), "rate_limited");
  } finally {
    await api.stop();
  }
});
