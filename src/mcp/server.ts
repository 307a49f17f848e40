/** The MCP server of one request. It keeps no state between requests. (docs/mcp.md) */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Request, Response } from "express";
import { version } from "../version.ts";
import { callTool } from "./calls.ts";
import { metaTools } from "./meta-tools.ts";
import { isWithin } from "./offered.ts";
import { type ProgressToken, progressOf, progressTokenOf } from "./progress.ts";
import type { Session } from "./session.ts";
import { listed } from "./tools.ts";

const instructions =
  "Botstead: bots, memories, runs, people and webhooks of one organisation. Find an operation with search_operations, read its " +
  "arguments with describe_operation, then call it with call_read_operation or call_write_operation. A result has `status` and " +
  "`body`. A refusal has `error` with `code`, `reason` and `details`. Where a result lists `secrets`, keep them as it says. " +
  "Resources have guides and the rules of each resource. Pass `untrusted: true` to start_run if the text comes from outside the organisation.";

/** The response is JSON, so any Accept header will do. Only progress needs events, which a client must accept. */
const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };

/** Handlers read these parameters themselves, because the SDK answers wrong types with an internal error. */
const readHere: Record<string, object> = {
  "tools/call": { name: "", arguments: {} },
  "resources/read": { uri: "" },
};

export async function answerRpc(
  session: Session,
  { request, response, message }: { request: Request; response: Response; message: Record<string, unknown> },
): Promise<void> {
  const given = isObject(message.params) ? message.params : {};
  const token = /\btext\/event-stream\b/i.test(request.headers.accept ?? "") ? progressTokenOf(given) : undefined;
  const server = serverOf(session, given, token);
  const isStream = token !== undefined && message.method === "tools/call";
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream });
  response.once("close", () => void server.close());
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const protocol = request.headers["mcp-protocol-version"];
  const params = readHere[String(message.method)];
  const answer = await transport.handleRequest(
    new globalThis.Request("http://mcp.invalid/mcp", {
      method: "POST",
      headers: { ...headers, ...(typeof protocol === "string" ? { "mcp-protocol-version": protocol } : {}) },
    }),
    { parsedBody: params ? { ...message, params } : message },
  );
  response.status(answer.status).set(Object.fromEntries(answer.headers));
  if (!isStream) return void response.end(await answer.text());
  response.set("x-accel-buffering", "no");
  for await (const part of answer.body ?? []) response.write(part);
  response.end();
}

function serverOf(session: Session, params: Record<string, unknown>, token: ProgressToken | undefined): Server {
  const { tools, resources, listsAll, scope } = session;
  const server = new Server(
    { name: "botstead", version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: listsAll
      ? [...tools.values()].filter(({ operation }) => isWithin(scope, operation)).map(listed)
      : [...metaTools],
  }));
  server.setRequestHandler(CallToolRequestSchema, (_, { sendNotification }) => {
    const onDelta = token === undefined ? undefined : progressOf(token, sendNotification);
    return callTool({ ...session, call: (operation, given) => session.call(operation, given, onDelta) }, params);
  });
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: resources().list }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: resources().templates,
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async () => {
    const content = resources().read(typeof params.uri === "string" ? params.uri : "");
    if (!content) throw new McpError(resourceNotFound, "There is no such resource. List them with resources/list.");
    return { contents: [content] };
  });
  return server;
}

/** The protocol's code, which the SDK does not name. */
const resourceNotFound = -32_002;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
