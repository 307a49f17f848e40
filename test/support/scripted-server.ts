/**
 * A server whose responses follow a test's script, one step per request: faults that the API does not produce on
 * demand.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type RefusalCode, refusals } from "../../src/contract/refusals.ts";

export type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string; at: number };
export type Step = (request: IncomingMessage, response: ServerResponse, seen: Seen) => unknown;

export type ScriptedServer = { url: string; seen: Seen[]; script: Step[]; close(): Promise<void> };

/** The last step repeats. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const script: Step[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => "");
    const arrived = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body,
      at: performance.now(),
    };
    const step = script[Math.min(seen.push(arrived), script.length) - 1];
    await step?.(request, response, arrived);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    script,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

export const refuses = (code: RefusalCode, headers: Record<string, string> = {}): Step =>
  answers(refusals[code].status, { error: { code, message: refusals[code].message, requestId: "r-1" } }, headers);

/** The request has arrived and gets no response. */
export const hangsUp: Step = (_request, response) => response.destroy();
export const saysNothing: Step = () => {};
