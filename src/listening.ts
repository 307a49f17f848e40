/**
 * Servers that outlast whoever means them harm: what every port of ours does about peers that are slow, silent, or many.
 * Node by itself waits for ever for a peer that takes no answer, and looks only every half a minute for those that send none.
 */
import { createServer, type Server } from "node:http";

/** In milliseconds. */
export const patience = {
  /** For the head of a request, from the connection on. */
  head: 10_000,
  /** For all of a request. */
  request: 30_000,
  /** For the next request of a connection. */
  idle: 65_000,
  /** While nothing moves in either direction: above the longest wait, which is 25 s, and a stream's comments every 15. */
  stalled: 40_000,
};

/** @param mostConnections beyond which who connects is turned away */
export function makeServer(mostConnections: number): Server {
  const server = createServer({
    headersTimeout: patience.head,
    requestTimeout: patience.request,
    keepAliveTimeout: patience.idle,
    connectionsCheckingInterval: 1_000,
    // Node would answer a request without a Host by itself, with no body; who listens answers it in our shape.
    requireHostHeader: false,
  });
  server.timeout = patience.stalled;
  server.maxConnections = mostConnections;
  server.maxHeadersCount = 0; // 16 KB hold few enough; beyond a count they would be left out without a word
  server.on("drop", () => server.closeIdleConnections()); // whoever waits for nothing makes room for the next
  return server;
}

/**
 * Once it listens, what the system can't accept, as for want of descriptors, costs whoever wanted to connect and nobody else.
 *
 * @throws Error in a sentence when the address is taken.
 */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new Error(`Port ${port} of ${host} is taken by another program.`) : error);
    });
    server.listen(port, host, () => resolve());
  });
}
