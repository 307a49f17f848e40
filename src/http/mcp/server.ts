/** The MCP server of one request. It keeps no state between requests. (docs/mcp.md) */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Request, Response } from "express";
import { version } from "../../version.ts";
import { openApiDocument } from "../openapi/document.ts";
import { callTool } from "./calls.ts";
import { metaTools } from "./meta-tools.ts";
import { isWithin } from "./offered.ts";
import { makeSearch } from "./search.ts";
import type { Catalogue, Session } from "./session.ts";
import { listed, makeTools } from "./tools.ts";

const instructions =
  "Botstead: bots, memories, runs, people and webhooks of one organisation. Find an operation with search_operations, read its " +
  "arguments with describe_operation, then call it with call_read_operation or call_write_operation. A result has `status` and " +
  "`body`. A refusal has `error` with `code`, `reason` and `details`. Where a result lists `secrets`, keep them as it says. " +
  "Pass `untrusted: true` to start_run if the text comes from outside the organisation.";

/** The response is always JSON, so any Accept header will do. */
const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };

export function makeCatalogue(baseUrl: string): Catalogue {
  const document = openApiDocument(baseUrl);
  const tools = makeTools(document);
  return { document, tools, search: makeSearch(tools) };
}

export async function answerRpc(
  session: Session,
  { request, response, message }: { request: Request; response: Response; message: Record<string, unknown> },
): Promise<void> {
  const server = new Server({ name: "botstead", version }, { capabilities: { tools: {} }, instructions });
  const params = isObject(message.params) ? message.params : {};
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    if (!session.listsAll) return { tools: [...metaTools] };
    return { tools: [...session.tools.values()].filter((tool) => isWithin(session.scope, tool.operation)).map(listed) };
  });
  server.setRequestHandler(CallToolRequestSchema, () => callTool(session, params));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once("close", () => void server.close());
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const protocol = request.headers["mcp-protocol-version"];
  const answer = await transport.handleRequest(
    new globalThis.Request("http://mcp.invalid/mcp", {
      method: "POST",
      headers: { ...headers, ...(typeof protocol === "string" ? { "mcp-protocol-version": protocol } : {}) },
    }),
    { parsedBody: message.method === "tools/call" ? { ...message, params: { name: "", arguments: {} } } : message },
  );
  response
    .status(answer.status)
    .set(Object.fromEntries(answer.headers))
    .end(await answer.text());
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
