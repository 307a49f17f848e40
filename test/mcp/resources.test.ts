/** Resources of /mcp: the contract and the pages for users of the API. (docs/mcp.md) */
import { readFileSync } from "node:fs";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { connectAgent, postToMcp } from "../support/mcp.ts";

const here = apiOfFile();
const connect = async () => connectAgent(here.api.url, (await here.owner("read")).key.text);
const page = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

test("The contract and the pages are listed, and each one can be read with its size", async () => {
  const { client } = await connect();
  const { resources } = await client.listResources();
  const uris = resources.map(({ uri }) => uri);
  expect(uris.slice(0, 3)).toEqual(["botstead://openapi.json", "botstead://docs.md", "botstead://docs/guide.md"]);
  expect(uris).toContain("botstead://docs/specification/conventions.md");
  for (const { uri, size, title, description, mimeType } of resources) {
    const { contents } = await client.readResource({ uri });
    const content = contents[0] as { text: string; uri: string; mimeType?: string };
    expect([content.uri, content.mimeType, Buffer.byteLength(content.text)]).toEqual([uri, mimeType, size]);
    expect([uri, title, description]).toEqual([
      uri,
      expect.stringMatching(/\w/),
      expect.stringMatching(/^[^[]{10,1024}$/),
    ]);
    expect(description).not.toContain("](");
  }
});

test("The contract equals openapi.json, and a page is its file", async () => {
  const { client } = await connect();
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return String((contents[0] as { text?: string }).text);
  };
  const response = await fetch(`${here.api.url}/api/v1/openapi.json`);
  expect(JSON.parse(await read("botstead://openapi.json"))).toEqual(await response.json());
  expect(await read("botstead://docs.md")).toBe(await (await fetch(`${here.api.url}/docs.md`)).text());
  expect(await read("botstead://docs/receiving-webhooks.md")).toBe(page("docs/receiving-webhooks.md"));
});

test("An operation is a resource by the template, with what describe_operation returns", async () => {
  const agent = await connect();
  const { resourceTemplates } = await agent.client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["botstead://operations/{name}"]);
  const { contents } = await agent.client.readResource({ uri: "botstead://operations/list_bots" });
  const described = await agent.use("describe_operation", { name: "list_bots" });
  expect(JSON.parse(String((contents[0] as { text?: string }).text))).toEqual(described);
});

test("A URI of no resource, of another file or of another type is refused as not found", async () => {
  const { key } = await here.owner("read");
  for (const uri of [
    "botstead://docs/operating.md",
    "botstead://docs/../package.json",
    "botstead://docs/specification/../../.env.example",
    "file:///etc/passwd",
    "botstead://operations/batch",
    "",
    null,
    { toString: 1 },
  ]) {
    const response = await postToMcp(
      here.api.url,
      { authorization: `Bearer ${key.text}` },
      { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } },
    );
    const { error } = (await response.json()) as Json;
    expect([uri, error.code, error.message]).toEqual([uri, -32_002, expect.stringContaining("resources/list")]);
  }
});

test("The image has the pages", () => {
  const ignored = page(".dockerignore").split("\n");
  expect(ignored).toEqual(expect.arrayContaining(["docs/*", "!docs/*.md", "!docs/specification"]));
  expect(
    page("Dockerfile")
      .split(/^FROM /m)
      .at(-1),
  ).toContain("COPY docs ./docs\n");
});
