/**
 * A service with the Chat Completions protocol over HTTP. It validates requests as strictly as the strictest services
 * do. It answers with server-sent events, as a test's script for the model specifies.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Ajv } from "ajv";
import { z } from "zod";

const ToolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string().regex(/^[\w-]{1,64}$/), arguments: z.string() }),
});

const Message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: z.string().min(1) }),
  z.strictObject({ role: z.literal("user"), content: z.string().min(1) }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.string().nullable(),
    tool_calls: z.array(ToolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal("tool"), tool_call_id: z.string().min(1), content: z.string().min(1) }),
]);

const Tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: z.string().regex(/^[\w-]{1,64}$/),
    description: z.string().min(1).max(1024),
    parameters: z.record(z.string(), z.unknown()),
  }),
});

const ModelRequest = z.strictObject({
  model: z.string(),
  messages: z.array(Message).min(2),
  tools: z.array(Tool).min(1).optional(),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.literal(true) }).optional(),
});

export type Message = z.infer<typeof Message>;
export type ModelRequest = z.infer<typeof ModelRequest> & {
  authorization: string | undefined;
  /** Resolves when the connection of this request has closed. */
  closed: Promise<void>;
};
export type Turn = (response: ServerResponse, request: ModelRequest) => unknown;

export type ModelServer = {
  /** The value of MODEL_BASE_URL. */
  url: string;
  /** The response of each model, one turn per request. The last turn repeats. */
  scripts: Map<string, Turn[]>;
  /** Requests for a model, oldest first. */
  requests(model: string): ModelRequest[];
  /** Response of GET /models. Defaults to the names of the scripts. */
  list: (response: ServerResponse) => unknown;
  /** Violations of the protocol by requests. */
  faults: string[];
  close(): Promise<void>;
};

export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const scripts = new Map<string, Turn[]>();
  const faults: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET" && request.url === "/v1/models") return self.list(response);
    const body: unknown = JSON.parse(await text(request));
    const fault = request.url === "/v1/chat/completions" ? faultOf(request, body) : `there is no ${request.url}`;
    if (fault) {
      faults.push(fault);
      return json(400, { error: { message: fault, type: "invalid_request_error" } })(response);
    }
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    const received = { ...ModelRequest.parse(body), authorization: request.headers.authorization, closed };
    requests.push(received);
    const script = scripts.get(received.model) ?? [];
    const number = requests.filter(({ model }) => model === received.model).length;
    await script[Math.min(number, script.length) - 1]?.(response, received);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const self: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    scripts,
    requests: (model) => requests.filter((each) => each.model === model),
    list: (response) =>
      json(200, { object: "list", data: [...scripts.keys()].map((id) => ({ id, object: "model" })) })(response),
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}

function faultOf(request: IncomingMessage, body: unknown): string | undefined {
  if (request.method !== "POST" || request.headers["content-type"] !== "application/json") return "not a POST of JSON";
  const read = ModelRequest.safeParse(body);
  if (!read.success) return z.prettifyError(read.error);
  const { messages, tools = [] } = read.data;
  for (const { function: tool } of tools) new Ajv({ strict: true, formats: {} }).compile(tool.parameters);
  const awaited = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if ((message.role === "system") !== (index === 0)) return "the system speaks first, and once";
    // Many services require this, because of their prompt templates. Several results of one turn's calls count as one
    // turn.
    if (message.role !== "tool" && message.role === messages[index - 1]?.role) return "turns do not alternate";
    if (message.role === "tool") {
      if (!awaited.delete(message.tool_call_id)) return "an answer to a call that there was not";
      continue;
    }
    if (awaited.size > 0) return "a call was left without an answer";
    if (message.role !== "assistant") continue;
    for (const call of message.tool_calls ?? []) {
      if (!tools.some((tool) => tool.function.name === call.function.name)) return "a call of no tool";
      JSON.parse(call.function.arguments);
      awaited.add(call.id);
    }
  }
  return awaited.size > 0 || messages.at(-1)?.role === "assistant" ? "it is not the model's turn" : undefined;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

type Delta = { role?: string; content?: string; refusal?: string; tool_calls?: unknown[] };

/** A response in parts, which a test can leave incomplete. */
export function stream(response: ServerResponse, model: string) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (fields: object) =>
    response.write(
      `data: ${JSON.stringify({ id: "c-1", object: "chat.completion.chunk", created: 1, model, ...fields })}\n\n`,
    );
  return {
    delta: (delta: Delta) => send({ choices: [{ index: 0, delta, finish_reason: null }] }),
    finish: (reason: string) => send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
    usage: (prompt_tokens: unknown, completion_tokens: unknown) =>
      send({ choices: [], usage: { prompt_tokens, completion_tokens } }),
    end: () => response.end("data: [DONE]\n\n"),
  };
}

type Usage = [input: unknown, output: unknown] | null;

/** Sends this text in parts of a few characters. */
export const says =
  (words: string, { usage = [100, 10] as Usage, finish = "stop" } = {}): Turn =>
  (response, { model }) => {
    const answer = stream(response, model);
    answer.delta({ role: "assistant", content: "" });
    for (const part of words.match(/.{1,4096}/gsu) ?? []) answer.delta({ content: part });
    answer.finish(finish);
    if (usage) answer.usage(...usage);
    answer.end();
  };

/** Calls tools, with the arguments in parts of five characters, interleaved between calls. */
export const calls =
  (...wanted: [name: string, given: object | string][]): Turn =>
  (response, { model }) => {
    const answer = stream(response, model);
    const parts = wanted.map(([name, given], index) => {
      const id = `call_${Math.random().toString(36).slice(2)}`;
      answer.delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
      return (typeof given === "string" ? given : JSON.stringify(given)).match(/.{1,5}/gsu) ?? [];
    });
    for (let at = 0; parts.some((each) => at < each.length); at += 1) {
      for (const [index, each] of parts.entries()) {
        if (each[at]) answer.delta({ tool_calls: [{ index, function: { arguments: each[at] } }] });
      }
    }
    answer.finish("tool_calls");
    answer.usage(100, 10);
    answer.end();
  };

export const saysNothing: Turn = () => {};
export const hangsUp: Turn = (response) => response.destroy();

export const good = says("It is sunny.");

/** Starts a response that the test continues. */
export const begins =
  (words: string, go: (answer: ReturnType<typeof stream>, response: Parameters<Turn>[0]) => unknown): Turn =>
  (response, { model }) => {
    const answer = stream(response, model);
    answer.delta({ role: "assistant", content: words });
    return go(answer, response);
  };
