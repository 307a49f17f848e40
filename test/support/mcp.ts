/** An MCP client of the official SDK over the test's API. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Ajv } from "ajv";
import { metaTools } from "../../src/mcp/meta-tools.ts";
import type { Json } from "./api.ts";
import { opening } from "./opened.ts";

export type Result = {
  status: number;
  requestId: string;
  idempotencyKey?: string;
  replayed?: true;
  etag?: string;
  secrets?: { path: string; hint: string }[];
  body: Json;
  note?: string;
  error?: Json;
};

export type Agent = {
  client: Client;
  /** Calls of tools so far. */
  calls(): number;
  /** The structured content of a result. It equals the text, and matches the schema of its tool. */
  use(tool: string, given?: Record<string, unknown>): Promise<Json>;
  /** The result of an operation called by the tool that search_operations names for it. */
  call(name: string, given?: Record<string, unknown>): Promise<Result>;
};

export type ToolResult = { content: { text: string }[]; structuredContent: Json; isError: boolean };

const ajv = new Ajv({ strict: false });
const schemas = new Map(metaTools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));

/** @param tool one of its own for an operation has the results of the others that call */
export function structured(tool: string, { content, structuredContent, isError }: ToolResult): Json {
  expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
  const validate = schemas.get(tool) ?? schemas.get("call_write_operation");
  expect([tool, validate?.(structuredContent), validate?.errors]).toEqual([tool, true, null]);
  expect(isError).toBe("error" in structuredContent);
  return structuredContent;
}

/** Closes when the current test ends. @param query of the address */
export async function connectAgent(url: string, key: string, query = ""): Promise<Agent> {
  const client = opening(new Client({ name: "test", version: "1" }));
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  let calls = 0;
  const use: Agent["use"] = async (name, given = {}) => {
    calls += 1;
    return structured(name, (await client.callTool({ name, arguments: given })) as ToolResult);
  };
  return {
    client,
    calls: () => calls,
    use,
    call: (name, given = {}) =>
      use(/^(get|list)_/.test(name) ? "call_read_operation" : "call_write_operation", { name, arguments: given }),
  };
}

/** A request without the SDK. */
export const postToMcp = (
  url: string,
  headers: Record<string, string>,
  body: unknown = { jsonrpc: "2.0", id: 1, method: "ping" },
): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
