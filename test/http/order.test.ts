/** The order of refusals when several apply. (docs/specification/conventions.md#order-of-checks) */
import { operations } from "../../src/contract/operations.ts";
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember, noteModels, setLimits } from "../support/database.ts";
import { absent, pathTo } from "../support/requests.ts";
import { setOrganisation } from "../support/resources.ts";

const here = apiOfFile();
const invalid = { nothing: "of the kind" };
const huge = { raw: `"${"a".repeat(1_100_000)}"` };

test("Without a credential every faulty request is unauthenticated", async () => {
  const { call } = here.api;
  expectRefusal(await call("PUT", "/keys", { body: invalid }), "unauthenticated");
  expectRefusal(await call("POST", "/keys", { body: invalid, idempotencyKey: null }), "unauthenticated");
  expectRefusal(await call("POST", "/keys", huge), "unauthenticated");
  expectRefusal(await call("POST", "/keys", { raw: "{" }), "unauthenticated");
  expectRefusal(await call("GET", "/keys?limit=0"), "unauthenticated");
  expectRefusal(await call("GET", "/keys/no-uuid"), "unauthenticated");
  expectRefusal(await call("GET", `/keys/${"a".repeat(300)}`), "unauthenticated");
});

test.each(["/nothing", "/keys/", "/Keys", "/keys/a/b", "/", "/keys/%zz", "/runs//messages"])(
  "The unknown path %s is 404 for every method, with or without a credential",
  async (path) => {
    const ada = await here.owner();
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      expectRefusal(await here.api.call(method, path), "not_found");
      expectRefusal(await here.api.call(method, path, { key: ada.key.text }), "not_found");
    }
  },
);

test("A path outside the API returns the same error envelope", async () => {
  const root = here.api.url;
  for (const path of ["/api", "/api/v2/keys", "/favicon.ico", "/api/v1x"]) {
    const response = await fetch(root + path);
    expect(response.status).toBe(404);
    const requestId = response.headers.get("x-request-id");
    expect(await response.json()).toMatchObject({ error: { code: "not_found", requestId } });
  }
});

const paths = [...Map.groupBy(operations, (operation) => operation.path)];
test.each(paths)(
  "%s returns 405 for each method that it lacks, with its own in the Allow header",
  async (path, there) => {
    const caller = there[0]?.keyClass === "platform" ? await here.platform() : await here.owner();
    const methods = there.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
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
  },
);

test("A 405 needs a key that may use the path with another method", async () => {
  const reader = await here.owner("read");
  expectRefusal(await reader.patch("/runs", {}), "not_supported");
  expectRefusal(await reader.patch("/keys", {}), "unauthenticated");
});

test("The Idempotency-Key is checked before the body, the body before the id in the path", async () => {
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

test.each(["", "a".repeat(256), "käse", "tab\there"])("The Idempotency-Key %j is refused", async (idempotencyKey) => {
  const ada = await here.owner();
  expectRefusal(await ada.post("/bots", { name: "Ada" }, { idempotencyKey }), "invalid_request", [
    "headers.idempotency-key",
  ]);
});

test.each(["a", "a".repeat(255), " ~!\"#$%&'()*+,-./:;<=>?@[]^_`{|}"])(
  "The Idempotency-Key %j is accepted",
  async (idempotencyKey) => {
    const ada = await here.owner();
    expect((await ada.post("/bots", { name: "Ada" }, { idempotencyKey })).status).toBe(201);
  },
);

test("start_run checks the bot before payment", async () => {
  const ada = await here.owner("admin", { billing: "none" });
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  expectRefusal(await ada.post("/runs", { botId: absent, message: "Hi" }), "not_found");
  expectRefusal(await ada.post("/runs", { botId: bot.id, message: "Hi" }), "payment_required");
});

test("update_memory and create_memory check existence before permission", async () => {
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

test("start_run checks payment before the limit, and the limit before executors", async () => {
  const ada = await here.owner();
  await noteModels(here.db, "nobody-serves-this");
  const { body: bot } = await ada.post("/bots", { name: "Ada", model: "nobody-serves-this" });
  const start = () => ada.post("/runs", { botId: bot.id, message: "Hi" });
  expectRefusal(await start(), "unavailable");
  await setLimits(here.db, ada.organisation.id, { runStartsPerHour: 0 });
  expectRefusal(await start(), "quota_exceeded");
  await setOrganisation(here.db, ada, "billing_state = 'none'");
  expectRefusal(await start(), "payment_required");
});
