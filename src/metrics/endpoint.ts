/**
 * `/metrics` on a port of its own, for processes that have no console beside them. It asks for no credential, hence an
 * address of this machine unless another is set.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Exposition } from "./siblings.ts";

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

export type Endpoint = { port: number; stop(): Promise<void> };

/** @throws Error of the operating system when the port can't be had. */
export async function exposeMetrics(
  { host, port }: { host: string; port: number },
  exposition: Exposition,
): Promise<Endpoint> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") return void response.writeHead(404).end();
    exposition().then(
      (text) => response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new Error(`Port ${port} of ${host} is taken by another program.`) : error),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
