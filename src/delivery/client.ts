/** One connection to a receiver. Notes what a retry must know, and skips interim responses (1xx). */
import type { Socket } from "node:net";
import { type buildConnector, Client, type Dispatcher, Pool } from "undici";

/** What is known of one request and its connection. Passed to undici as `opaque`. */
export type Exchange = {
  /** The connection had carried another request, so the receiver may just have closed it. */
  isReused: boolean;
  /** A byte of the response arrived. */
  isAnswered: boolean;
};

export const newExchange = (): Exchange => ({ isReused: false, isAnswered: false });

/** For an Agent. */
export const createPool = (origin: URL | string, options: object): Pool =>
  new Pool(origin, { ...options, factory: createClient });

/** @param options of the pool, with its connector */
function createClient(origin: URL, options: object): Client {
  const { connect } = options as { connect: buildConnector.connector };
  let exchange = newExchange();
  const client = new Client(origin, {
    ...options,
    connect: (target, callback) =>
      connect(target, (...result) => {
        const [error, socket] = result;
        if (error) callback(error, null);
        else
          callback(
            null,
            withoutInterim(socket, () => Object.assign(exchange, { isAnswered: true })),
          );
      }),
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request: Dispatcher.DispatchOptions & { opaque?: Exchange }, handler) => {
    exchange = Object.assign(request.opaque ?? newExchange(), { isReused: client.stats.connected });
    return dispatch(request, handler);
  };
  return client;
}

/** Longer ones are left to undici, which refuses 100 Continue. */
const maxInterimBytes = 16_384;
const start = "HTTP/1.1 1";

/**
 * Removes interim responses before the response. Some servers send 100 Continue although no request expects it, and undici
 * treats it as an error. Before the first byte of the response, undici reads only through `read`.
 */
function withoutInterim<S extends Socket>(socket: S, answered: () => void): S {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as typeof socket.write;
  let pending: Buffer | undefined = Buffer.alloc(0);

  socket.write = ((...given: Parameters<typeof write>) => {
    pending = Buffer.alloc(0); // a new request
    return write(...given);
  }) as typeof socket.write;

  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null || chunk.length === 0) return chunk;
      answered();
      if (pending === undefined) return chunk;
      const rest = afterInterim(Buffer.concat([pending, chunk]));
      if (rest.isComplete) {
        pending = undefined;
        return rest.bytes;
      }
      pending = rest.bytes;
    }
  };
  return socket;
}

/** `isComplete`: the bytes are no interim response, nor the beginning of one. */
function afterInterim(bytes: Buffer): { bytes: Buffer; isComplete: boolean } {
  const head = bytes.toString("latin1", 0, start.length + 2);
  // 101 ends HTTP on this connection, and undici refuses it.
  if (!start.startsWith(head.slice(0, start.length)) || head === `${start}01`) return { bytes, isComplete: true };
  const end = bytes.indexOf("\r\n\r\n");
  if (end >= 0) return afterInterim(bytes.subarray(end + 4));
  return { bytes, isComplete: bytes.length > maxInterimBytes };
}
