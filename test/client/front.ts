/** A server in front of the real API: forwards requests, or replies as a case says. Records all requests. */
import { request as forward } from "node:http";
import type { RefusalCode } from "../../src/contract/refusals.ts";
import {
  hangsUp,
  refuses,
  type ScriptedServer,
  type Step,
  saysNothing,
  startScriptedServer,
} from "../support/scripted-server.ts";

export type Reply =
  | "forwards"
  /** The API answers, but the client does not receive it. */
  | "performs and hangs up"
  | "hangs up"
  | "says nothing"
  | `refuses:${RefusalCode}`
  | { refuses: RefusalCode; headers: Record<string, string> }
  | { status: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | { stream: string[]; then: "ends" | "is cut" | "stays open" };

export type Front = ScriptedServer & { follow(script: Reply[]): void };

export async function startFront(apiUrl: string): Promise<Front> {
  const server = await startScriptedServer();
  return {
    ...server,
    follow(script) {
      server.seen.length = 0;
      server.script.splice(0, Infinity, ...script.map((reply) => stepOf(reply, apiUrl)));
    },
  };
}

function stepOf(reply: Reply, apiUrl: string): Step {
  if (reply === "forwards") return forwarding(apiUrl, false);
  if (reply === "performs and hangs up") return forwarding(apiUrl, true);
  if (reply === "hangs up") return hangsUp;
  if (reply === "says nothing") return saysNothing;
  if (typeof reply === "string") return refuses(reply.slice("refuses:".length) as RefusalCode);
  if ("refuses" in reply) return refuses(reply.refuses, reply.headers);
  if ("stream" in reply) return streaming(reply);
  const { status, body, text = JSON.stringify(body), headers = {} } = reply;
  return (_request, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

const forwarding =
  (apiUrl: string, loses: boolean): Step =>
  (request, response, { method, url, headers, body }) => {
    const onwards = forward(new URL(url, apiUrl), { method, headers }, (answer) => {
      if (loses) answer.resume().once("end", () => response.destroy());
      else answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers));
    });
    response.once("close", () => onwards.destroy()); // a client that leaves ends its stream
    request.once("error", () => onwards.destroy());
    onwards.once("error", () => response.destroy()).end(body);
  };

const streaming =
  ({ stream, then }: { stream: string[]; then: "ends" | "is cut" | "stays open" }): Step =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    if (then === "ends") response.end(stream.join(""));
    else response.write(stream.join(""), () => then === "is cut" && response.destroy());
  };
