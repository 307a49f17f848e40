/**
 * HTTP server with time-outs against slow and hostile clients. Node's defaults never time out a client that does not
 * read, and check for incomplete requests only every 30 s.
 */
import type { Server } from "node:http";
import { createServer as createProbe } from "node:net";

// An import of node:http would also load WebSocket and fetch, with 40 ms of processor time.
const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");

/** The reason phrase of an HTTP status. */
export const reasonPhrase = (status: number) => STATUS_CODES[status];

/** In ms. */
export const serverTimeouts = {
  /** Until the head of a request is complete. */
  head: 10_000,
  /** Until the whole request is complete. */
  request: 30_000,
  /** Between requests of a connection. KEEP_ALIVE_SECONDS changes it for the API. */
  idle: 65_000,
  /** Without traffic in either direction. Above the longest wait, 25 s, and a stream's comments, every 15 s. */
  stalled: 40_000,
};

/**
 * @param maxConnections further connections are closed
 * @param keepAliveMs idle time between requests. The time-out of the head begins with a request, so it may be shorter
 */
export function makeServer(maxConnections: number, keepAliveMs: number = serverTimeouts.idle): Server {
  const server = createServer({
    headersTimeout: serverTimeouts.head,
    requestTimeout: serverTimeouts.request,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 1_000,
    // Node would answer a request without Host itself, with an empty body; the application answers with a problem
    // document.
    requireHostHeader: false,
  });
  server.timeout = serverTimeouts.stalled;
  server.maxConnections = maxConnections;
  server.maxHeadersCount = 0; // 16 KB limit the headers; Node would silently drop headers above a count
  server.on("drop", () => server.closeIdleConnections()); // makes room for new connections
  return server;
}

/**
 * After this, a failed accept, for example without free file descriptors, only affects that connection.
 *
 * @throws Error if the address is unavailable
 */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on("error", (error) => reject(listenFault(error, port, host)));
    server.listen(port, host, () => resolve());
  });
}

/** Describes why an address is unavailable. */
function listenFault(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use by another program.`,
    EACCES: `Port ${port} of ${host} is not open to this user: choose a port above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: correct HOST.`,
    ENOTFOUND: `The name ${host} has no address: correct HOST.`,
  };
  const sentence = sentences[error.code ?? ""];
  return sentence ? new Error(sentence, { cause: error }) : error;
}

/** Checks that a port is available. @throws Error as `listen` does */
export async function probePort(port: number, host: string): Promise<void> {
  if (port === 0) return;
  const probe = createProbe();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => reject(listenFault(error, port, host)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** Closes the server and all its connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
