/**
 * `/metrics` on a port of its own, for processes that have no console beside them. It asks for no credential, hence an
 * address of this machine unless another is set.
 */
import type { AddressInfo } from "node:net";
import { listen, makeServer } from "../listening.ts";
import type { Exposition } from "./siblings.ts";

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

const mostConnections = 100;

export type Endpoint = { port: number; stop(): Promise<void> };

/** @throws Error in a sentence when the port is taken. */
export async function exposeMetrics(
  { host, port }: { host: string; port: number },
  exposition: Exposition,
): Promise<Endpoint> {
  const server = makeServer(mostConnections).on("request", (request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") return void response.writeHead(404).end();
    exposition().then(
      (text) => response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxRequestsPerSocket = 100; // all metrics are a long answer, and a packet has room for a thousand questions
  await listen(server, port, host);
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
