/** An MCP client of the official SDK over the test's API. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Json } from "./api.ts";
import { opening } from "./opened.ts";

export type Result = {
  status: number;
  requestId: string;
  idempotencyKey?: string;
  etag?: string;
  body: Json;
  note?: string;
};

export type Agent = {
  client: Client;
  /** Calls of tools so far. */
  calls(): number;
  /** The result of a tool, parsed. */
  use(tool: string, given?: Record<string, unknown>): Promise<Json>;
  /** The result of an operation called by `call_operation`. */
  call(name: string, given?: Record<string, unknown>): Promise<Result>;
};

/** Closes when the current test ends. @param query of the address */
export async function connectAgent(url: string, key: string, query = ""): Promise<Agent> {
  const client = opening(new Client({ name: "test", version: "1" }));
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  let calls = 0;
  const use: Agent["use"] = async (name, given = {}) => {
    calls += 1;
    const { content } = (await client.callTool({ name, arguments: given })) as { content: { text: string }[] };
    return JSON.parse(content[0]?.text ?? "");
  };
  return {
    client,
    calls: () => calls,
    use,
    call: (name, given = {}) => use("call_operation", { name, arguments: given }),
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
