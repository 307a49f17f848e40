/** One connection to a receiver. Notes what a retry must know, and skips responses of 100 Continue. */
import type { Socket } from "node:net";
import { type buildConnector, Client, type Dispatcher } from "undici";

/** What is known of one request and its connection. Passed to undici as `opaque`. */
export type Exchange = {
  /** The connection had carried another request, so the receiver may just have closed it. */
  isReused: boolean;
  /** A byte of the response arrived. */
  isAnswered: boolean;
};

export const newExchange = (): Exchange => ({ isReused: false, isAnswered: false });

/** @param options of the pool, with its connector */
export function createClient(origin: URL, options: object): Client {
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
            withoutContinue(socket, () => Object.assign(exchange, { isAnswered: true })),
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

/** Longer ones end the attempt: undici refuses 100 Continue. */
const maxInterimBytes = 16_384;
const start = Buffer.from("HTTP/1.1 100");

/**
 * Removes responses of 100 Continue before the response. Some receivers send one although no request expects it, and undici
 * treats it as an error. Before the first byte of the response, undici reads only through `read`.
 */
function withoutContinue<S extends Socket>(socket: S, answered: () => void): S {
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
      const rest = afterContinue(Buffer.concat([pending, chunk]));
      if (rest.isComplete) {
        pending = undefined;
        return rest.bytes;
      }
      pending = rest.bytes;
    }
  };
  return socket;
}

/** `isComplete`: the bytes are no response of 100 Continue, nor the beginning of one. */
function afterContinue(bytes: Buffer): { bytes: Buffer; isComplete: boolean } {
  const compared = Math.min(bytes.length, start.length);
  if (!bytes.subarray(0, compared).equals(start.subarray(0, compared))) return { bytes, isComplete: true };
  const end = bytes.indexOf("\r\n\r\n");
  if (end >= 0) return afterContinue(bytes.subarray(end + 4));
  return { bytes, isComplete: bytes.length > maxInterimBytes };
}
