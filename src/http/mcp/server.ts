/** The MCP server of one request. It keeps no state between requests. (docs/mcp.md) */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Request, Response } from "express";
import type { Operation, Scope } from "../../contract/operation.ts";
import { version } from "../../version.ts";
import { metaTools } from "./meta-tools.ts";
import { type Arguments, isWithin, listed, type OperationTool, toolOperations } from "./tools.ts";

/** The answer to an operation that a tool called. `body` is JSON. */
export type Called = { status: number; requestId: string; idempotencyKey?: string; etag?: string; body: string };

export type Call = (operation: Operation, given: Arguments) => Promise<Called>;

export type Session = {
  tools: Map<string, OperationTool>;
  /** Whether `tools/list` has a tool for each operation instead of the three that find and call operations. */
  listsAll: boolean;
  /** The scope of the key. */
  scope: Scope;
  call: Call;
};

const instructions =
  "Botstead: bots, memories, runs and webhooks of one organisation. Find an operation with search_operations, read its " +
  "arguments with describe_operation, call it with call_operation. A result has the status and the body of the API's " +
  "response. Repeat a call with its idempotencyKey if its outcome is unknown. Pass untrusted: true to start_run if the " +
  "text comes from outside the organisation.";

/** A reader of a result pays for each character. Beyond this the result says how to ask for less. */
const maxResult = 65_536;

/** The response is always JSON, so any Accept header will do. */
const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };

export async function answerRpc(
  session: Session,
  { request, response, message }: { request: Request; response: Response; message: Record<string, unknown> },
): Promise<void> {
  const server = new Server({ name: "botstead", version }, { capabilities: { tools: {} }, instructions });
  const params = isObject(message.params) ? message.params : {};
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    if (!session.listsAll) return { tools: metaTools };
    return { tools: [...session.tools.values()].filter(({ name }) => isAllowed(name, session.scope)).map(listed) };
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

/** Checks the parameters itself: the SDK answers wrong types with an internal error. */
async function callTool(session: Session, params: Record<string, unknown>): Promise<CallToolResult> {
  const { name } = params;
  const given = argumentsOf(params.arguments);
  if (typeof name !== "string") return failed("tools/call needs the name of a tool, as text.");
  if (!given) return failed("The arguments of a tool must be an object, or JSON text of an object.");
  if (name === "call_operation") {
    const more = argumentsOf(given.arguments);
    if (typeof given.name !== "string" || !more) {
      return failed("call_operation needs the name of an operation, and its arguments as an object.");
    }
    return callOperation(session, given.name, more);
  }
  if (name !== "search_operations" && name !== "describe_operation") return callOperation(session, name, given);
  if (name === "search_operations") return shown(search(session, textOf(given.query)));
  const tool = session.tools.get(textOf(given.name));
  return tool && isAllowed(tool.name, session.scope) ? shown(tool) : failed(unknown(textOf(given.name)));
}

/** Some clients send the arguments as JSON text, or null for none. Returns undefined for anything else than an object. */
function argumentsOf(given: unknown): Arguments | undefined {
  if (given === undefined || given === null || given === "") return {};
  if (typeof given !== "string") return isObject(given) ? given : undefined;
  try {
    const parsed: unknown = JSON.parse(given);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

async function callOperation(session: Session, name: string, given: Arguments): Promise<CallToolResult> {
  const operation = toolOperations.get(name);
  return operation ? resultOf(await session.call(operation, given)) : failed(unknown(name));
}

const unknown = (name: string) => `There is no operation ${name} for this key. Find one with search_operations.`;

function isAllowed(name: string, scope: Scope): boolean {
  const operation = toolOperations.get(name);
  return operation !== undefined && isWithin(scope, operation);
}

/** Operations that have the most words of the query, best first. */
function search({ tools, scope }: Session, query: string) {
  const words = query.toLowerCase().match(/[a-z]+/g) ?? [];
  const ranked = [...tools.values()]
    .filter(({ name }) => isAllowed(name, scope))
    .map((tool) => {
      const [title, text] = [`${tool.name} ${tool.title}`.toLowerCase(), tool.description.toLowerCase()];
      const points = words.map((word) => (title.includes(word) ? 3 : text.includes(word) ? 1 : 0));
      return { tool, points: points.reduce<number>((sum, each) => sum + each, 0) };
    });
  return ranked
    .filter(({ points }) => points > 0 || words.length === 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, words.length === 0 ? undefined : 12)
    .map(({ tool: { name, title } }) => ({ name, title }));
}

function resultOf({ status, body, ...others }: Called): CallToolResult {
  const head = { status, ...others };
  const isRefused = status >= 400;
  if (body.length <= maxResult) return shown({ ...head, body: body === "" ? null : JSON.parse(body) }, isRefused);
  const note =
    `The response has ${body.length} characters, more than the ${maxResult} of a result. Ask for fewer rows with limit, ` +
    "or for a single row.";
  return shown({ ...head, note }, isRefused);
}

function shown(value: unknown, isError = false): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], isError };
}

const failed = (message: string) => shown({ error: message }, true);
