/** The HTTP requests of /mcp: credentials, headers, limits and refusals. */
import { expectAnswer } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { connectAgent, postToMcp } from "../support/mcp.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const connect = (key: string, query?: string) => connectAgent(here.api.url, key, query);
const post = (headers: Record<string, string>, body?: unknown) => postToMcp(here.api.url, headers, body);

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
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Bearer .*resource_metadata="/),
    ]);
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
