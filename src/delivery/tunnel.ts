/*
 * Connections through a forward proxy, for networks without a direct route. The proxy gets a checked address, never a name:
 * resolving the name again would bypass the check. TLS ends at the receiver, so the proxy sees only the address.
 */
import type { LookupAddress } from "node:dns";
import type { ClientRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import type { SecureContext } from "node:tls";
import { errors } from "undici";
import type { ForwardProxy } from "./proxy.ts";

const { request: httpRequest } = process.getBuiltinModule("node:http"); // see src/web/listening.ts

export type Tunneller = {
  /**
   * Connects to the first of `addresses` that the proxy can reach.
   *
   * @throws {errors.ConnectTimeoutError} after the time-out
   * @throws {Error} if the proxy reaches none, or is unreachable itself
   */
  open(addresses: readonly LookupAddress[], port: number): Promise<Socket>;
  /** Aborts connections that are being opened. */
  close(): void;
};

export type TunnelSettings = {
  proxy: ForwardProxy;
  /** For each address but the last. */
  addressTimeoutMs: number;
  /** For all addresses together. */
  timeoutMs: number;
  /** For a proxy with an https URL. */
  tls: { rejectUnauthorized: boolean; secureContext?: SecureContext };
  /**
   * Called with a status or an error code if the proxy refused the connection. Not called for a 5xx, which means that the
   * receiver is unreachable.
   */
  onFailure?: ((reason: string | number) => void) | undefined;
};

export function createTunneller(settings: TunnelSettings): Tunneller {
  const { proxy, addressTimeoutMs, timeoutMs, tls, onFailure } = settings;
  const opening = new Set<ClientRequest>();
  let closed = false;

  function connect(target: string, withinMs: number): Promise<Socket> {
    const send = proxy.url.protocol === "https:" ? httpsRequest : httpRequest;
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const request = send(proxy.url, {
      method: "CONNECT",
      path: target,
      headers: { host: target, ...(proxy.authorization && { "proxy-authorization": proxy.authorization }) },
      agent: false, // a tunnel cannot be shared
      ...tls,
    });
    opening.add(request);
    const timer = setTimeout(() => request.destroy(withCode("ETIMEDOUT")), withinMs);
    request.on("connect", ({ statusCode = 0 }, socket: Socket, early) => {
      socket.on("error", () => {}); // the user of the tunnel gets the error
      if (statusCode >= 200 && statusCode < 300 && early.length === 0) {
        resolve(socket);
      } else {
        socket.destroy();
        reject(withCode(statusCode));
      }
    });
    request.on("error", reject);
    request.on("close", () => {
      clearTimeout(timer);
      opening.delete(request);
      reject(withCode("ECONNRESET"));
    });
    request.end();
    return promise;
  }

  return {
    async open(addresses, port) {
      let reason: string | number = "no address";
      const until = performance.now() + timeoutMs;
      for (const [index, { address, family }] of addresses.entries()) {
        const target = `${family === 6 ? `[${address}]` : address}:${port}`;
        const leftMs = until - performance.now();
        if (leftMs < 1 || closed) break; // a timer can end a fraction of a millisecond early
        const withinMs = index < addresses.length - 1 ? Math.min(addressTimeoutMs, leftMs) : leftMs;
        try {
          return await connect(target, withinMs);
        } catch (error) {
          reason = (error as { code?: string | number }).code ?? "unknown";
        }
      }
      if (!closed && !(Number(reason) >= 500)) onFailure?.(reason);
      // A separate error type, as without a proxy: this time-out may end just before the attempt's.
      throw reason === "ETIMEDOUT" ? new errors.ConnectTimeoutError() : withCode(reason);
    },
    close() {
      closed = true;
      for (const request of opening) request.destroy();
    },
  };
}

function withCode(code: string | number): Error {
  return Object.assign(new Error(`The proxy refused the connection: ${code}`), { code });
}
