/** The MCP server of one request. It keeps no state between requests. (docs/mcp.md) */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Request, Response } from "express";
import type { Operation, Scope } from "../../contract/operation.ts";
import { version } from "../../version.ts";
import { metaTools } from "./meta-tools.ts";
import { type Arguments, isWithin, type OperationTool, toolOperations } from "./tools.ts";

/** The answer to an operation that a tool called. `body` is JSON. */
export type Called = { status: number; requestId: string; idempotencyKey?: string; etag?: string; body: string };

export type Call = (operation: Operation, given: Arguments) => Promise<Called>;

export type Session = {
  tools: Map<string, OperationTool>;
  /** Whether `tools/list` has a tool for each operation instead of the three that find and call operations. */
  listsAll: boolean;
  /** The scope of the key, or the refusal of the call that reads it. */
  scope(): Promise<Scope | Called>;
  call: Call;
};

const instructions =
  "Botstead: bots, memories, runs and webhooks of one organisation. Find an operation with search_operations, read its " +
  "arguments with describe_operation, call it with call_operation. A result has the status and the body of the API's " +
  "response. Repeat a call with its idempotencyKey if its outcome is unknown. Pass untrusted: true to start_run if the " +
  "text comes from outside the organisation.";

/** A reader of a result pays for each character. Beyond this the result says how to ask for less. */
const maxResult = 65_536;

export async function answerRpc(
  session: Session,
  { request, response, message }: { request: Request; response: Response; message: Record<string, unknown> },
): Promise<void> {
  const server = new Server({ name: "botstead", version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    if (!session.listsAll) return { tools: metaTools };
    const scope = (await session.scope()) as Scope; // known: the key was accepted before
    return { tools: [...session.tools.values()].filter(({ name }) => isAllowed(name, scope)) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(session, params.name, params.arguments ?? {}),
  );
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once("close", () => void server.close());
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(request, response, message);
}

async function callTool(session: Session, name: string, given: Arguments): Promise<CallToolResult> {
  if (name === "call_operation") {
    const { name: operation, arguments: more = {} } = given;
    if (typeof operation !== "string" || typeof more !== "object" || more === null) {
      return failed("call_operation needs the name of an operation, and its arguments as an object.");
    }
    return callOperation(session, operation, more as Arguments);
  }
  if (name !== "search_operations" && name !== "describe_operation") return callOperation(session, name, given);
  const scope = await session.scope();
  if (typeof scope === "object") return resultOf(scope);
  if (name === "search_operations") return shown(search(session, scope, String(given.query ?? "")));
  const tool = session.tools.get(String(given.name));
  return tool && isAllowed(tool.name, scope) ? shown(tool) : failed(unknown(String(given.name)));
}

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
function search({ tools }: Session, scope: Scope, query: string) {
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
