/**
 * Serves `/metrics` on a port of its own, for processes without a console. It needs no credential, so it listens on the
 * loopback address by default.
 */
import type { AddressInfo } from "node:net";
import { closeServer, listen, makeServer } from "../web/listening.ts";
import type { Exposition } from "./siblings.ts";

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

const maxConnections = 100;

export type Endpoint = { port: number; stop(): Promise<void> };

/** @throws Error with a message for operators if the port is in use. */
export async function exposeMetrics(
  { host, port }: { host: string; port: number },
  exposition: Exposition,
): Promise<Endpoint> {
  const server = makeServer(maxConnections).on("request", (request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") return void response.writeHead(404).end();
    exposition().then(
      (text) => response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxRequestsPerSocket = 100; // one packet can carry a thousand pipelined requests, and the answer is long
  await listen(server, port, host);
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => closeServer(server),
  };
}
