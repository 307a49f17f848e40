/** `/mcp`: tools for agents. (docs/mcp.md) */
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { ZodObject } from "zod";
import { operations } from "../../src/contract/operations.ts";
import { metaTools } from "../../src/mcp/meta-tools.ts";
import { toolOperations } from "../../src/mcp/offered.ts";
import { secretsOf } from "../../src/mcp/secrets.ts";
import { expectAnswer } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { docBlocks } from "../support/doc-blocks.ts";
import { connectAgent } from "../support/mcp.ts";
import { opening } from "../support/opened.ts";

const here = apiOfFile();
const connect = (key: string, query?: string) => connectAgent(here.api.url, key, query);

test("By default four tools find, describe and call operations, and only one of them writes", async () => {
  const agent = await connect((await here.owner()).key.text);
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ["search_operations", true],
    ["describe_operation", true],
    ["call_read_operation", true],
    ["call_write_operation", false],
  ]);
  for (const { outputSchema, inputSchema } of tools) {
    expect(outputSchema?.type).toBe("object");
    expect(inputSchema.additionalProperties).toBe(false);
  }
  expect(agent.client.getInstructions()).toContain("search_operations");
});

test("docs/mcp.md names the operations that agents cannot call", () => {
  const page = readFileSync(new URL("../../docs/mcp.md", import.meta.url), "utf8");
  const [, listed = ""] = /Not offered: (.+?)\. /s.exec(page) ?? [];
  const named = operations
    .filter(({ keyClass, name }) => keyClass === "organisation" && !toolOperations.has(name))
    .map(({ method, path }) => (path.startsWith("/exports") ? "/exports" : `${method.toUpperCase()} ${path}`));
  expect([...listed.matchAll(/`(.+?)`/g)].map(([, name]) => name).toSorted()).toEqual([...new Set(named)].toSorted());
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
        !["batch", "watch_run", "import_memories"].includes(each.name) &&
        !each.path.startsWith("/exports") &&
        scopes.indexOf(each.scope) <= scopes.indexOf(scope),
    );
    const names = expected.map(({ name }) => name).toSorted();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(names);
    const { operations: found } = await agent.use("search_operations", { query: "" });
    expect(found.map(({ name }: { name: string }) => name).toSorted()).toEqual(names);
    for (const { name, summary, tool } of found) {
      expect([name, summary]).toEqual([name, expect.stringMatching(/^\S.{15,199}[.…]$/)]);
      expect([name, summary]).not.toEqual([name, expect.stringMatching(/: (Returns `|Requires|Also) /)]);
      const isRead = expected.find((each) => each.name === name)?.method === "get";
      expect([name, tool]).toEqual([name, isRead ? "call_read_operation" : "call_write_operation"]);
    }
    for (const { name, annotations, description } of tools) {
      expect([name, annotations?.readOnlyHint]).toEqual([
        name,
        expected.find((each) => each.name === name)?.method === "get",
      ]);
      expect(description?.length).toBeGreaterThan(40);
    }
  },
);

test("The settings that docs/mcp.md shows name the address and the credential", async () => {
  const { key } = await here.owner();
  const shown = docBlocks().find(({ page, language }) => page === "docs/mcp.md" && language === "json")?.text ?? "";
  const settings = shown.replace("http://127.0.0.1:3000", here.api.url).replace("bsk_…", key.text);
  const { type, url, headers } = JSON.parse(settings).mcpServers.botstead;
  expect(type).toBe("http");
  const client = opening(new Client({ name: "test", version: "1" }));
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
});

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
  const rest = await ada.get(`/bots?limit=1&cursor=${page.nextCursor}`); // cursors come from the API
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
  expect(await change("Edsger")).toMatchObject({ status: 409, error: { reason: "revision_changed" } });
});

test.each(["batch", "watch_run", "list_organisations", "nothing"])(
  "The operation %s cannot be called",
  async (name) => {
    const agent = await connect((await here.owner()).key.text);
    const error = { code: "not_found", message: expect.stringContaining(`no operation ${name}.`) };
    expect(await agent.call(name)).toEqual({ error });
    expect(await agent.use("describe_operation", { name })).toEqual({ error });
  },
);

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

test("A result marks the secret that only it shows, and says where to keep it", async () => {
  const agent = await connect((await here.owner()).key.text);
  const { body: bot } = await agent.call("create_bot", { name: "Ada" });
  const { body: me } = await agent.call("get_me");
  const results = [
    await agent.call("create_key", { name: "CI" }),
    await agent.call("create_hook", { botId: bot.id, name: "Alerts" }),
    await agent.call("create_webhook", { url: "https://example.com/in", events: ["run.finished"] }),
    await agent.call("create_portal_session", { personId: me.person.userId }),
  ];
  const paths = results.map(({ secrets }) => secrets?.map(({ path }) => path));
  expect(paths).toEqual([["body.key"], ["body.secret"], ["body.secret"], ["body.url"]]);
  for (const { secrets, body } of results) {
    const [{ path = "", hint = "" } = {}] = secrets ?? [];
    expect(body[path.replace("body.", "")]).toMatch(/bsk_|whsec_|bsl_/);
    expect(hint).toMatch(/Do not repeat it/);
  }
  const rotated = await agent.call("rotate_webhook_secret", { id: results[2]?.body.id });
  expect(rotated.secrets).toEqual(results[2]?.secrets);
  for (const name of ["list_keys", "get_me", "list_webhooks"]) expect((await agent.call(name)).secrets).toBeUndefined();
  expect((await agent.call("create_invitation", { email: "nora@harbour.example" })).secrets).toBeUndefined();
});

test("Every operation that returns a secret is marked where its body has it", () => {
  const withSecret = operations.filter(({ secret, keyClass }) => secret && keyClass === "organisation");
  expect(withSecret.length).toBeGreaterThan(5);
  for (const operation of withSecret) {
    const fields = Object.keys((operation.reply as ZodObject).shape);
    const paths = secretsOf(operation).map(({ path }) => path.replace("body.", ""));
    const expected = operation.secret === "invitation-token" ? [] : fields.filter((each) => paths.includes(each));
    expect([operation.name, paths]).toEqual([operation.name, expected]);
  }
});

test("No text for agents names a header or the path of an operation", async () => {
  const agent = await connect((await here.owner()).key.text, "?tools=all");
  const { tools } = await agent.client.listTools();
  const described = await Promise.all(tools.map(({ name }) => agent.use("describe_operation", { name })));
  const offered = operations.filter(({ name }) => tools.some((tool) => tool.name === name));
  for (const given of [...tools, ...described, ...metaTools]) {
    const text = JSON.stringify(given);
    expect([given.name, /Idempotency-Key|If-Match|\bETag\b|X-Botstead-Reason|Last-Event-ID/.exec(text)?.[0]]).toEqual([
      given.name,
      undefined,
    ]);
    const path = offered.find(({ method, path }) => text.includes(`\`${method.toUpperCase()} ${path}\``))?.path;
    expect([given.name, path]).toEqual([given.name, undefined]);
  }
});

test("describe_operation has an example with the required arguments, and fields of the result without their bounds", async () => {
  const agent = await connect((await here.owner()).key.text);
  for (const { name } of (await agent.use("search_operations", { query: "" })).operations) {
    const { example = {}, inputSchema, bodySchema } = await agent.use("describe_operation", { name });
    const names = Object.keys(example);
    expect([name, names]).toEqual([name, expect.arrayContaining(inputSchema.required)]);
    expect([name, Object.keys(inputSchema.properties)]).toEqual([name, expect.arrayContaining(names)]);
    expect([name, Object.keys(bodySchema.properties).length > 0]).toEqual([name, true]);
    expect([name, /"(?:\$ref|pattern|minimum|maxLength)":/.exec(JSON.stringify(bodySchema))]).toEqual([name, null]);
  }
});

test("Annotations tell apart what reads, adds, replaces and sends", async () => {
  const agent = await connect((await here.owner()).key.text, "?tools=all");
  const { tools } = await agent.client.listTools();
  const of = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
  const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean) => ({
    ...{ readOnlyHint, destructiveHint, idempotentHint, openWorldHint },
  });
  expect(of("list_bots")).toEqual(hints(true, false, true, false));
  expect(of("create_bot")).toEqual(hints(false, false, false, false));
  expect(of("update_bot")).toEqual(hints(false, true, true, false));
  expect(of("erase_memories")).toEqual(hints(false, true, false, false));
  expect(of("create_invitation")).toEqual(hints(false, false, false, true));
  expect(of("update_webhook")).toEqual(hints(false, true, true, true));
  for (const { name } of tools) expect(name.length).toBeLessThanOrEqual(64);
});
