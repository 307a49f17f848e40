/** How /mcp takes arguments: of other types, as text, null or absent. */
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { connectAgent, postToMcp } from "../support/mcp.ts";

const here = apiOfFile();
const connect = (key: string, query?: string) => connectAgent(here.api.url, key, query);
const post = (headers: Record<string, string>, body?: unknown) => postToMcp(here.api.url, headers, body);

/** The result of a tool called without the SDK. */
async function result(key: string, params: unknown): Promise<Json> {
  const authorization = `Bearer ${key}`;
  const response = await post({ authorization }, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const { result } = (await response.json()) as Json;
  return JSON.parse(result.content[0].text);
}

test("Refusals have the words of the envelope", async () => {
  const ada = await here.owner("read");
  const agent = await connect(ada.key.text);
  const unknown = "019aa0e4-5b00-7a00-8000-000000000005";
  expect(await agent.call("get_bot", { id: unknown })).toMatchObject({
    status: 404,
    body: { error: { code: "not_found" } },
  });
  expect(await agent.call("get_bot")).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_request", details: [{ path: "path.id", message: "is required" }] } },
  });
  expect(await agent.call("list_runs", { stat: "completed" })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: "query.stat", message: "is not an argument of this operation" }] } },
  });
  expect(await agent.call("list_bots", { limit: 1000 })).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_request" } },
  });
  expect(await agent.call("create_bot", { name: "Ada" })).toMatchObject({
    status: 401,
    body: { error: { code: "unauthenticated" } },
  });
  const { isError } = await agent.client.callTool({
    name: "call_operation",
    arguments: { name: "get_bot", arguments: {} },
  });
  expect(isError).toBe(true);
});

test("A call without a name, or with arguments that are no object, says what it needs", async () => {
  const agent = await connect((await here.owner()).key.text);
  expect(await agent.use("call_operation", {})).toEqual({ error: expect.stringContaining("name of an operation") });
  expect(await agent.use("call_operation", { name: "list_bots", arguments: "none" })).toEqual({
    error: expect.stringContaining("as an object"),
  });
  expect(await agent.use("call_operation", { name: "list_bots", arguments: [1] })).toEqual({
    error: expect.stringContaining("as an object"),
  });
});

test("Arguments are accepted as JSON text and as null, for tools and within call_operation", async () => {
  const { key } = await here.owner();
  for (const given of [undefined, null, "", "{}", {}])
    expect((await result(key.text, { name: "list_bots", arguments: given })).status).toBe(200);
  const create = { name: "create_bot", arguments: JSON.stringify({ name: "Ada" }) };
  expect(await result(key.text, create)).toMatchObject({ status: 201, body: { name: "Ada" } });
  for (const given of [{ ...create }, JSON.stringify(create)])
    expect(await result(key.text, { name: "call_operation", arguments: given })).toMatchObject({ status: 201 });
  expect(
    (await result(key.text, { name: "call_operation", arguments: { name: "list_bots", arguments: null } })).status,
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
    body: { error: { details: [{ path: "body.name" }] } },
  });
});

test("An object where text belongs is refused with the argument's name, never as an internal error", async () => {
  const { key } = await here.owner();
  const odd = { toString: 1, valueOf: 1 };
  for (const [name, given, path] of [
    ["get_bot", { id: odd }, "path.id"],
    ["list_bots", { limit: [1] }, "query.limit"],
    ["create_bot", { name: "Ada", idempotencyKey: odd }, "headers.idempotency-key"],
    ["update_bot", { id: here.api.url, name: "Ada", ifMatch: odd }, "headers.if-match"],
  ] as const) {
    expect(await result(key.text, { name, arguments: given })).toMatchObject({
      status: 400,
      body: {
        error: { code: "invalid_request", details: [{ path, message: expect.stringContaining("must be text") }] },
      },
    });
  }
  for (const params of [
    null,
    { name: odd },
    { name: "list_bots", arguments: 5 },
    { name: "list_bots", arguments: [1] },
    { name: "list_bots", arguments: "{" },
    { name: "search_operations", arguments: 5 },
    { name: "call_operation", arguments: { name: odd } },
    { name: "describe_operation", arguments: { name: odd } },
  ])
    expect(await result(key.text, params)).toEqual({ error: expect.any(String) });
  expect(await result(key.text, { name: "search_operations", arguments: { query: odd } })).toEqual(expect.any(Array));
});
