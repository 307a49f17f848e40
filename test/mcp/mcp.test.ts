/** `/mcp`: tools for agents. (docs/mcp.md) */
import { operations } from "../../src/contract/operations.ts";
import { expectAnswer } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { connectAgent } from "../support/mcp.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const connect = (key: string, query?: string) => connectAgent(here.api.url, key, query);

/** A request without the SDK. */
const post = (headers: Record<string, string>, body: unknown = { jsonrpc: "2.0", id: 1, method: "ping" }) =>
  fetch(`${here.api.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

test("By default three tools find, describe and call operations", async () => {
  const agent = await connect((await here.owner()).key.text);
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["search_operations", "describe_operation", "call_operation"]);
  expect(agent.client.getInstructions()).toContain("search_operations");
});

test.each(["read", "write", "admin"] as const)(
  "With a %s key, ?tools=all and a search list its operations",
  async (scope) => {
    const agent = await connect((await here.owner(scope)).key.text, "?tools=all");
    const { tools } = await agent.client.listTools();
    const scopes = ["read", "write", "admin"];
    const expected = operations.filter(
      (each) =>
        each.keyClass === "organisation" &&
        !["batch", "watch_run"].includes(each.name) &&
        scopes.indexOf(each.scope) <= scopes.indexOf(scope),
    );
    const names = expected.map(({ name }) => name).toSorted();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(names);
    const found = await agent.use("search_operations", { query: "" });
    expect(found.map(({ name }: { name: string }) => name).toSorted()).toEqual(names);
    for (const { name, annotations, description } of tools) {
      expect([name, annotations?.readOnlyHint]).toEqual([
        name,
        expected.find((each) => each.name === name)?.method === "get",
      ]);
      expect(description?.length).toBeGreaterThan(40);
    }
  },
);

test("Every tool describes each argument, the required ones included, with one type for each part and no reference", async () => {
  const agent = await connect((await here.owner()).key.text, "?tools=all");
  const { tools } = await agent.client.listTools();
  expect(JSON.stringify(tools)).not.toContain("$ref");
  expect(JSON.stringify(tools)).not.toContain('"type":['); // some models accept one type only
  for (const { name, inputSchema } of tools) {
    const given = Object.keys(inputSchema.properties ?? {});
    expect([name, given]).toEqual([name, expect.arrayContaining(inputSchema.required ?? [])]);
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect([name, argument, (schema as { description?: string }).description]).toEqual([
        name,
        argument,
        expect.any(String),
      ]);
    }
  }
});

test("An operation is a tool of its own, with path, query and body in one object", async () => {
  const ada = await here.owner();
  const agent = await connect(ada.key.text, "?tools=all");
  const { body: bot } = await agent.use("create_bot", { name: "Ada" });
  expect(await agent.use("update_bot", { id: bot.id, name: "Bob" })).toMatchObject({
    status: 200,
    body: { name: "Bob" },
  });
  await agent.use("create_bot", { name: "Eve" });
  const { body: page } = await agent.use("list_bots", { limit: 1 });
  expect(page.data).toMatchObject([{ name: "Eve" }]);
  const rest = await ada.get(`/bots?limit=1&cursor=${page.nextCursor}`); // cursors are those of the API
  expect(rest.body.data).toMatchObject([{ name: "Bob" }]);
  expect(await agent.use("delete_bot", { id: bot.id })).toMatchObject({ status: 200, body: { deleted: true } });
});

test("A call repeated with its idempotencyKey replays its response, over MCP and over HTTP", async () => {
  const ada = await here.owner();
  const agent = await connect(ada.key.text);
  const first = await agent.call("create_key", { name: "CI" });
  const { idempotencyKey } = first;
  const again = await agent.call("create_key", { name: "CI", idempotencyKey });
  expect(again.body).toEqual(first.body); // with the key that is shown once
  const replayed = await ada.post("/keys", { name: "CI" }, { idempotencyKey: String(idempotencyKey) });
  expect([replayed.headers.get("idempotent-replayed"), replayed.body]).toEqual(["true", first.body]);
  expect((await agent.call("create_key", { name: "CI" })).body.id).not.toBe(first.body.id);
});

test("An update with the etag of an earlier result as ifMatch is refused after another change", async () => {
  const ada = await here.owner();
  const agent = await connect(ada.key.text);
  const { etag, body } = await agent.call("create_bot", { name: "Ada" });
  expect(etag).toMatch(/^W\//);
  const change = (name: string) => agent.call("update_bot", { id: body.id, name, ifMatch: etag });
  expect(await change("Grace")).toMatchObject({ status: 200, body: { name: "Grace" } });
  expect(await change("Edsger")).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
});

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

test.each(["batch", "watch_run", "list_organisations", "nothing"])(
  "The operation %s cannot be called",
  async (name) => {
    const agent = await connect((await here.owner()).key.text);
    expect(await agent.call(name)).toEqual({ error: expect.stringContaining(`no operation ${name}`) });
    expect(await agent.use("describe_operation", { name })).toEqual({
      error: expect.stringContaining("search_operations"),
    });
  },
);

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

/** The result of a tool called without the SDK. */
async function result(key: string, params: unknown): Promise<Json> {
  const authorization = `Bearer ${key}`;
  const response = await post({ authorization }, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const { result } = (await response.json()) as Json;
  return JSON.parse(result.content[0].text);
}

test.each([undefined, "*/*", "application/json", "application/json;q=0.9, */*;q=0.1", "text/event-stream"])(
  "A client that accepts %s gets JSON",
  async (accept) => {
    const { key } = await here.owner("read");
    const response = await fetch(`${here.api.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key.text}`,
        "content-type": "application/json",
        ...(accept ? { accept } : {}),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" }),
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ]);
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
  },
);

test("A protocol version that is not supported is refused", async () => {
  const { key } = await here.owner("read");
  const response = await post({ authorization: `Bearer ${key.text}`, "mcp-protocol-version": "1999-01-01" });
  expect(response.status).toBe(400);
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

test("No description of a listed tool has more than 1,024 characters; describe_operation has the whole one", async () => {
  const agent = await connect((await here.owner()).key.text, "?tools=all");
  const { tools } = await agent.client.listTools();
  const described = async (name: string) => (await agent.use("describe_operation", { name })).description as string;
  const cut = tools.filter(({ description }) => description?.endsWith("More: describe_operation."));
  for (const { name, description = "" } of tools) expect([name, description.length <= 1_024]).toEqual([name, true]);
  expect(cut.length).toBeGreaterThan(0);
  for (const { name } of cut) expect((await described(name)).length).toBeGreaterThan(1_024);
  const texts = JSON.stringify(tools).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g);
  for (const [, text = ""] of texts) expect(text.length).toBeLessThanOrEqual(1_024);
});

test("A response of more than 65,536 characters is replaced by a note, also after a write", async () => {
  const ada = await here.owner();
  const agent = await connect(ada.key.text);
  const instructions = "a".repeat(20_000);
  for (let each = 0; each < 4; each += 1)
    expectAnswer("create_bot", await ada.post("/bots", { name: "Ada", instructions }));
  const { body, note, status } = await agent.call("list_bots");
  expect([status, body, note]).toEqual([200, undefined, expect.stringContaining("limit")]);
  expect((await agent.call("list_bots", { limit: 2 })).body.data).toHaveLength(2);
});

test("Text from outside stays untrusted: a run that an agent starts with untrusted is tainted", async () => {
  const ada = await here.owner();
  const agent = await connect(ada.key.text);
  const { body: bot } = await agent.call("create_bot", { name: "Ada" });
  const { body: run } = await agent.call("start_run", { botId: bot.id, message: "Hello", untrusted: true });
  expect((await ada.get(`/runs/${run.id}`)).body.taint).toBe(true);
});

test("A call counts in the rate limit of its key, as a request does", async () => {
  const ada = await here.owner();
  const agent = await connect(ada.key.text);
  const left = async () => Number(/r=(\d+)/.exec((await ada.get("/me")).headers.get("ratelimit") ?? "")?.[1]);
  await eventually(async () => {
    const before = await left();
    for (let each = 0; each < 3; each += 1) await agent.call("list_bots");
    return before - (await left()) === 4; // otherwise a minute began meanwhile
  });
});

test("A missing, malformed or unknown key, and a key of another class, get 401 before any tool is listed", async () => {
  const platform = await here.platform();
  const unknown = "bsk_ExampleKeyExampleKeyExampleKeyExampleKey123456789";
  const revoked = await here.owner();
  expectAnswer("revoke_key", await revoked.delete(`/keys/${revoked.key.id}`));
  for (const key of [undefined, "nonsense", unknown, platform.key.text, revoked.key.text]) {
    const response = await post(key === undefined ? {} : { authorization: `Bearer ${key}` });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await response.json()).toMatchObject({ error: { code: "unauthenticated" } });
  }
});

test("A body that is no JSON object, or too large, is refused in the envelope", async () => {
  const { key } = await here.owner();
  const authorization = `Bearer ${key.text}`;
  for (const [body, status, code] of [
    ["[", 400, "invalid_request"],
    ["[]", 400, "invalid_request"],
    [JSON.stringify({ method: "x".repeat(1_100_000) }), 413, "payload_too_large"],
  ] as const) {
    const response = await post({ authorization }, body);
    expect([response.status, ((await response.json()) as Json).error.code]).toEqual([status, code]);
  }
});

test("A page of another origin is refused, and other methods are not supported", async () => {
  const { key } = await here.owner();
  const authorization = `Bearer ${key.text}`;
  expect((await post({ authorization, origin: "https://elsewhere.example" })).status).toBe(403);
  for (const method of ["GET", "DELETE"]) {
    const response = await fetch(`${here.api.url}/mcp`, { method, headers: { authorization } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  }
});

test("An agent of one organisation sees nothing of another", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const agent = await connect(eve.key.text);
  expect((await agent.call("get_bot", { id: bot.id })).status).toBe(404);
  expect((await agent.call("list_bots")).body.data).toEqual([]);
});
