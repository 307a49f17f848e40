/** How /mcp takes arguments: of other types, as text, null or absent. */

import { refusal } from "../../src/api/stages/respond.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { toolOperations } from "../../src/mcp/offered.ts";
import { calledOf, resultOf } from "../../src/mcp/results.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { connectAgent, postToMcp, structured } from "../support/mcp.ts";

const here = apiOfFile();
const connect = (key: string, query?: string) => connectAgent(here.api.url, key, query);
const post = (headers: Record<string, string>, body?: unknown) => postToMcp(here.api.url, headers, body);

/** The result of a tool called without the SDK. */
async function result(key: string, params: unknown): Promise<Json> {
  const authorization = `Bearer ${key}`;
  const response = await post({ authorization }, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const { result } = (await response.json()) as Json;
  return structured((params as Json)?.name, result);
}

test("A refusal has the code, the details and the request id of the API, and names arguments", async () => {
  const ada = await here.owner("read");
  const agent = await connect(ada.key.text);
  const unknown = "019aa0e4-5b00-7a00-8000-000000000005";
  expect(await agent.call("get_bot", { id: unknown })).toMatchObject({
    status: 404,
    requestId: expect.any(String),
    error: { code: "not_found", message: expect.any(String), requestId: expect.any(String) },
  });
  expect(await agent.call("get_bot")).toMatchObject({
    status: 400,
    error: { code: "invalid_request", details: [{ path: "id", message: "is required" }] },
  });
  expect(await agent.call("list_runs", { stat: "completed" })).toMatchObject({
    status: 400,
    error: {
      details: [{ path: "stat", message: "is not an argument of this operation. Did you mean `state`?" }],
    },
  });
  expect(await agent.call("list_run_messages", { runId: unknown })).toMatchObject({
    status: 400,
    error: {
      details: [
        { path: "runId", message: "is not an argument of this operation. Did you mean `id`?" },
        { path: "id", message: "is required" },
      ],
      hint: "list_run_messages requires `id` and accepts `limit`, `cursor`.",
    },
  });
  expect((await agent.call("get_me", { id: unknown })).error.hint).toBe("get_me takes no arguments.");
  expect((await agent.call("list_runs", { botId: "Ada" })).error.hint).toMatch(
    /\. `list_bots` has values of `botId`\.$/,
  );
  expect(await agent.call("list_bots", { limit: 1000 })).toMatchObject({
    status: 400,
    error: { code: "invalid_request", details: [{ path: "limit" }] },
  });
  expect(await agent.call("create_bot", { name: "Ada" })).toMatchObject({
    status: 401,
    error: {
      code: "unauthenticated",
      hint: "create_bot needs a key of scope `write`. This key has scope `read`.",
    },
  });
});

test("A stale revision, an existing member and an open invitation have different reasons", async () => {
  const ada = await here.owner();
  const agent = await connect(ada.key.text);
  const bot = await agent.call("create_bot", { name: "Ada" });
  const rename = (name: string) => agent.call("update_bot", { id: bot.body.id, name, ifMatch: bot.etag });
  await rename("Grace");
  expect(await rename("Edsger")).toMatchObject({
    status: 409,
    error: {
      code: "conflict",
      reason: "revision_changed",
      message: "The resource is not at a revision that `ifMatch` names. Read it again.",
    },
  });
  const { body: me } = await agent.call("get_me");
  const invite = (email: string) => agent.call("create_invitation", { email });
  const refused = await invite(me.person.email);
  expect(refused).toMatchObject({ status: 409, error: { code: "conflict", reason: "member_exists" } });
  expect(refused.error.requestId).toBe(refused.requestId);
  await invite("nora@harbour.example");
  const { idempotencyKey, ...open } = await invite("nora@harbour.example");
  expect(open).toMatchObject({ status: 409, error: { code: "conflict", reason: "invitation_open" } });
  const replayed = await agent.call("create_invitation", { email: "nora@harbour.example", idempotencyKey });
  expect(replayed).toEqual({ ...open, idempotencyKey, replayed: true });
});

test("A call without a name, or with arguments that are no object, says what it needs", async () => {
  const agent = await connect((await here.owner()).key.text);
  const call = (given: Json) => agent.use("call_read_operation", given);
  expect((await call({})).error).toMatchObject({
    code: "invalid_request",
    details: [{ path: "name", message: "is required, as text" }],
  });
  for (const given of ["none", [1]])
    expect((await call({ name: "list_bots", arguments: given })).error).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("as an object"),
    });
});

test("A refusal by a rate limit has the seconds to wait as a member, and no word of a header", () => {
  const operation = toolOperations.get("start_run") as Operation;
  const { structuredContent } = resultOf(operation, calledOf(refusal("rate_limited", "id"), "key"));
  expect(structuredContent).toMatchObject({
    status: 429,
    error: {
      code: "rate_limited",
      retryAfterSeconds: 60,
      message: "Too many requests. Try again after the seconds in `error.retryAfterSeconds`.",
    },
  });
});

test("An unknown argument of a tool is refused with the nearest name, and nothing is called", async () => {
  const ada = await here.owner();
  const agent = await connect(ada.key.text);
  for (const [tool, given, path, suggestion] of [
    ["call_read_operation", { name: "list_runs", args: { state: "failed" } }, "args", "arguments"],
    ["call_write_operation", { name: "create_bot", Arguments: { name: "Ada" } }, "Arguments", "arguments"],
    ["call_read_operation", { name: "list_bots", argument: {} }, "argument", "arguments"],
    ["describe_operation", { name: "list_bots", names: [] }, "names", "name"],
    ["search_operations", { querry: "bots" }, "querry", "query"],
  ] as const)
    expect((await agent.use(tool, given)).error).toMatchObject({
      code: "invalid_request",
      details: [{ path, message: expect.stringContaining(`Did you mean \`${suggestion}\`?`) }],
    });
  const { error } = await agent.use("call_write_operation", { name: "create_bot", visibility: "team" });
  expect(error.details[0].message).toBe(
    "is not an argument. call_write_operation takes `name` and `arguments`. Those of the operation belong into `arguments`.",
  );
  expect((await ada.get("/bots")).body.data).toEqual([]);
});

test.each([
  ["createBot", "create_bot"],
  ["bots.create", "create_bot"],
  ["create-bots", "create_bot"],
  ["list_bot", "list_bots"],
  ["GET /bots", "list_bots"],
  ["post /webhooks/{id}/test", "test_webhook"],
  ["ListRunMessages", "list_run_messages"],
  ["invite_member", "create_invitation"],
  ["call_operation", "call_read_operation"],
  ["search", "search_operations"],
])("The unknown name %s is answered with %s", async (name, suggestion) => {
  const { key } = await here.owner("read");
  const message = expect.stringContaining(`Did you mean \`${suggestion}\`?`);
  for (const params of [
    { name, arguments: {} },
    { name: "describe_operation", arguments: { name } },
    { name: "call_read_operation", arguments: { name } },
  ])
    expect(await result(key.text, params)).toEqual({ error: { code: "not_found", message } });
});

test("call_read_operation refuses what changes data and names the tool for it", async () => {
  const ada = await here.owner();
  const agent = await connect(ada.key.text);
  const { error } = await agent.use("call_read_operation", { name: "create_bot", arguments: { name: "Ada" } });
  expect(error).toMatchObject({
    code: "invalid_request",
    message: "create_bot changes data. Call it with `call_write_operation`.",
  });
  expect((await ada.get("/bots")).body.data).toEqual([]);
  expect(await agent.use("call_write_operation", { name: "list_bots" })).toMatchObject({ status: 200 });
});

test("Arguments are accepted as JSON text and as null, for tools and within tools that call operations", async () => {
  const { key } = await here.owner();
  for (const given of [undefined, null, "", "{}", {}])
    expect((await result(key.text, { name: "list_bots", arguments: given })).status).toBe(200);
  const create = { name: "create_bot", arguments: JSON.stringify({ name: "Ada" }) };
  expect(await result(key.text, create)).toMatchObject({ status: 201, body: { name: "Ada" } });
  for (const given of [{ ...create }, JSON.stringify(create)])
    expect(await result(key.text, { name: "call_write_operation", arguments: given })).toMatchObject({ status: 201 });
  expect(
    (await result(key.text, { name: "call_read_operation", arguments: { name: "list_bots", arguments: null } })).status,
  ).toBe(200);
});

test("Null for an optional argument counts as left out, for a required one it is refused", async () => {
  const { key } = await here.owner();
  const of = (name: string, given: object) => result(key.text, { name, arguments: given });
  const bot = await of("create_bot", { name: "Ada", instructions: null, model: null, idempotencyKey: null });
  expect(bot).toMatchObject({ status: 201, body: { name: "Ada" } });
  const { id } = bot.body;
  expect(await of("update_bot", { id, name: "Bob", ifMatch: null })).toMatchObject({ status: 200 });
  expect(await of("list_bots", { limit: null, cursor: null })).toMatchObject({ status: 200 });
  expect(await of("create_bot", { name: null })).toMatchObject({
    status: 400,
    error: { details: [{ path: "name" }] },
  });
});

test("An object where text belongs is refused with the argument's name, never as an internal error", async () => {
  const { key } = await here.owner();
  const odd = { toString: 1, valueOf: 1 };
  for (const [name, given, path] of [
    ["get_bot", { id: odd }, "id"],
    ["list_bots", { limit: [1] }, "limit"],
    ["create_bot", { name: "Ada", idempotencyKey: odd }, "idempotencyKey"],
    ["update_bot", { id: here.api.url, name: "Ada", ifMatch: odd }, "ifMatch"],
  ] as const) {
    expect(await result(key.text, { name, arguments: given })).toMatchObject({
      status: 400,
      error: { code: "invalid_request", details: [{ path, message: expect.stringContaining("must be text") }] },
    });
  }
  for (const params of [
    null,
    { name: odd },
    { name: "list_bots", arguments: 5 },
    { name: "list_bots", arguments: [1] },
    { name: "list_bots", arguments: "{" },
    { name: "search_operations", arguments: 5 },
    { name: "call_read_operation", arguments: { name: odd } },
    { name: "search_operations", arguments: { query: odd } },
    { name: "describe_operation", arguments: { name: odd } },
  ])
    expect(await result(key.text, params)).toMatchObject({
      error: { code: "invalid_request", message: expect.any(String) },
    });
  const all = await result(key.text, { name: "search_operations", arguments: { query: null } });
  expect(all.operations.length).toBeGreaterThan(50);
});

test("A query and a name of 900,000 characters are answered without comparing all of it", async () => {
  const { key } = await here.owner();
  const long = "kea ".repeat(225_000);
  expect((await result(key.text, { name: "search_operations", arguments: { query: long } })).operations).toBeDefined();
  expect((await result(key.text, { name: long, arguments: {} })).error.message.length).toBeLessThan(300);
});

test("list_runs takes metadata as an object, and refuses a key or a value that the API refuses", async () => {
  const ada = await here.owner("write");
  const agent = await connect(ada.key.text);
  const botId = (await ada.post("/bots", { name: "Ada" })).body.id;
  const { body: run } = await ada.post("/runs", { botId, message: "Hi", metadata: { order: "4711" } });
  await ada.post("/runs", { botId, message: "Hi", metadata: { order: "4712" } });
  const listed = await agent.call("list_runs", { metadata: { order: 4711 } });
  expect(listed.body.data).toMatchObject([{ id: run.id, metadata: { order: "4711" } }]);
  for (const metadata of ["order", { "a b": "x" }, { order: { is: "4711" } }]) {
    expect((await agent.call("list_runs", { metadata })).error.code).toBe("invalid_request");
  }
});

test("start_run takes startAt, and refuses one that the API refuses", async () => {
  const ada = await here.owner("write");
  const agent = await connect(ada.key.text);
  const botId = (await ada.post("/bots", { name: "Ada" })).body.id;
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  expect((await agent.call("start_run", { botId, message: "Hi", startAt })).body).toMatchObject({ startAt });
  expect((await agent.call("start_run", { botId, message: "Hi", startAt: "9999-01-01T00:00:00Z" })).error.code).toBe(
    "invalid_request",
  );
});
