/** Which refusal wins when a request deserves several. (decisions: "Order of checks".) */
import { operations } from "../../src/contract/operations.ts";
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { absent, pathTo } from "../support/requests.ts";

const here = apiOfFile();
const invalid = { nothing: "of the kind" };
const huge = { raw: `"${"a".repeat(1_100_000)}"` };

test("without a credential every mistake is the same one", async () => {
  const { call } = here.api;
  expectRefusal(await call("PUT", "/keys", { body: invalid }), "unauthenticated");
  expectRefusal(await call("POST", "/keys", { body: invalid, idempotencyKey: null }), "unauthenticated");
  expectRefusal(await call("POST", "/keys", huge), "unauthenticated");
  expectRefusal(await call("POST", "/keys", { raw: "{" }), "unauthenticated");
  expectRefusal(await call("GET", "/keys?limit=0"), "unauthenticated");
  expectRefusal(await call("GET", "/keys/no-uuid"), "unauthenticated");
});

test.each([
  "/nothing",
  "/keys/",
  "/Keys",
  "/keys/a/b",
  "/",
  "/keys/%zz",
  "/runs//messages",
  `/keys/${"a".repeat(300)}`,
])("the unknown path %s is not found, with or without a credential, by any method", async (path) => {
  const ada = await here.owner();
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
    expectRefusal(await here.api.call(method, path), "not_found");
    expectRefusal(await here.api.call(method, path, { key: ada.key.text }), "not_found");
  }
});

test("a path outside the API is answered in the same shape", async () => {
  const root = here.api.url;
  for (const path of ["/", "/api", "/api/v2/keys", "/favicon.ico", "/api/v1x"]) {
    const response = await fetch(root + path);
    expect(response.status).toBe(404);
    const requestId = response.headers.get("x-request-id");
    expect(await response.json()).toMatchObject({ error: { code: "not_found", requestId } });
  }
});

const paths = [...Map.groupBy(operations, (operation) => operation.path)];
test.each(paths)("%s answers 405 to each method that it lacks, and names those it has", async (path, there) => {
  const caller = there[0]?.keyClass === "platform" ? await here.platform() : await here.owner();
  const methods = there.map((operation) => operation.method.toUpperCase());
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    if (methods.includes(method)) continue;
    const refused = await here.api.call(method, pathTo(path), {
      key: caller.key.text,
      body: method === "GET" ? undefined : invalid,
      idempotencyKey: null,
    });
    expectRefusal(refused, "not_supported");
    expect(refused.headers.get("allow")?.split(", ").toSorted()).toEqual(methods.toSorted());
    expectRefusal(await here.api.call(method, pathTo(path)), "unauthenticated");
  }
});

test("whether a path lacks a method is told to whoever reaches the path by another", async () => {
  const reader = await here.owner("read");
  expectRefusal(await reader.patch("/runs", {}), "not_supported");
  expectRefusal(await reader.patch("/keys", {}), "unauthenticated");
});

test("the Idempotency-Key is asked for before the body, the body before the path's id", async () => {
  const ada = await here.owner();
  const without = { idempotencyKey: null };
  const header = ["headers.idempotency-key"];
  expectRefusal(await ada.post("/keys", invalid, without), "invalid_request", header);
  expectRefusal(await ada.post("/keys", undefined, { ...without, ...huge }), "invalid_request", header);
  expectRefusal(await ada.post("/webhooks/no-uuid/test", undefined, without), "invalid_request", header);
  expectRefusal(await ada.post("/keys", undefined, huge), "payload_too_large");
  expectRefusal(await ada.patch(`/bots/${absent}`, undefined, huge), "payload_too_large");
  expectRefusal(await ada.patch(`/bots/${absent}`, invalid), "invalid_request", ["body"]);
  expectRefusal(await ada.patch("/bots/no-uuid", invalid), "invalid_request", ["body"]);
  expectRefusal(await ada.patch("/bots/no-uuid", { name: "B" }), "not_found");
  expectRefusal(await ada.get(`/webhooks/${absent}/deliveries?limit=0`), "invalid_request", ["query.limit"]);
});

test.each(["", "a".repeat(256), "käse", "tab\there"])("the Idempotency-Key %j is none", async (idempotencyKey) => {
  const ada = await here.owner();
  expectRefusal(await ada.post("/bots", { name: "Ada" }, { idempotencyKey }), "invalid_request", [
    "headers.idempotency-key",
  ]);
});

test.each(["a", "a".repeat(255), " ~!\"#$%&'()*+,-./:;<=>?@[]^_`{|}"])(
  "the Idempotency-Key %j is one",
  async (idempotencyKey) => {
    const ada = await here.owner();
    expect((await ada.post("/bots", { name: "Ada" }, { idempotencyKey })).status).toBe(201);
  },
);

test("a bot that is not there comes before a payment that is due", async () => {
  const ada = await here.owner("admin", { billing: "none" });
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  expectRefusal(await ada.post("/runs", { botId: absent, message: "Hi" }), "not_found");
  expectRefusal(await ada.post("/runs", { botId: bot.id, message: "Hi" }), "payment_required");
});

test("a claim that is not there comes before one that may not be written", async () => {
  const ada = await here.owner();
  const bob = await makeMember(here.db, ada.organisation.id, "admin");
  const insert = `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source)
    values ($1, 'member', $2, 'k', 's', 'v', 'member', 'application') returning id`;
  const [own] = await here.db.sql<{ id: string }>(insert, [ada.organisation.id, ada.organisation.ownerId]);
  const [bobs] = await here.db.sql<{ id: string }>(insert, [ada.organisation.id, bob]);
  expectRefusal(await ada.patch(`/memories/${own?.id}`, { value: "v" }), "forbidden");
  expectRefusal(await ada.patch(`/memories/${bobs?.id}`, { value: "v" }), "not_found");
  const health = { scope: "bot", botId: absent, kind: "health", subject: "s", value: "v", subjectKind: "third_party" };
  expectRefusal(await ada.post("/memories", health), "not_found");
});

test("payment comes before the ceiling, the ceiling before the lack of an executor", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada", model: "nobody-serves-this" });
  const start = () => ada.post("/runs", { botId: bot.id, message: "Hi" });
  const set = (what: string) =>
    here.db.sql(`update app.organisations set ${what} where id = $1`, [ada.organisation.id]);
  expectRefusal(await start(), "unavailable");
  await set("hourly_run_ceiling = 0");
  expectRefusal(await start(), "quota_exceeded");
  await set("billing_state = 'none'");
  expectRefusal(await start(), "payment_required");
});
