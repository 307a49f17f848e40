/*
 * A way out through a forward proxy, for networks in which nothing leaves but through one. The proxy is asked for an
 * address that was checked here, never for a name: a proxy that resolves would undo the check. TLS goes through the
 * tunnel to the receiver, under its name and with its certificate, so that the proxy sees an address and nothing else.
 */
import type { LookupAddress } from "node:dns";
import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import type { SecureContext } from "node:tls";
import { errors } from "undici";
import type { ForwardProxy } from "./proxy.ts";

export type Tunneller = {
  /**
   * A connection to the first of `addresses` that the proxy connects to.
   *
   * @throws {errors.ConnectTimeoutError} when that took too long.
   * @throws {Error} when it connects to none, or is not there.
   */
  open(addresses: readonly LookupAddress[], port: number): Promise<Socket>;
  /** Gives up what is being opened. */
  close(): void;
};

export type TunnelSettings = {
  proxy: ForwardProxy;
  /** For one address, as long as another is left to try. */
  patiencePerAddressMs: number;
  /** For all of them together. */
  timeoutMs: number;
  /** For a proxy that is itself spoken to through TLS. */
  tls: { rejectUnauthorized: boolean; secureContext?: SecureContext };
  /**
   * Is told why the proxy gave no connection: a status, or the code of an error. Not of a 5xx, by which proxies say that
   * the receiver is not there.
   */
  onTrouble?: ((reason: string | number) => void) | undefined;
};

export function createTunneller(settings: TunnelSettings): Tunneller {
  const { proxy, patiencePerAddressMs, timeoutMs, tls, onTrouble } = settings;
  const underWay = new Set<ClientRequest>();
  let closed = false;

  function connect(target: string, withinMs: number): Promise<Socket> {
    const request = proxy.url.protocol === "https:" ? httpsRequest : httpRequest;
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const asking = request(proxy.url, {
      method: "CONNECT",
      path: target,
      headers: { host: target, ...(proxy.authorization && { "proxy-authorization": proxy.authorization }) },
      agent: false, // a connection that becomes a tunnel is nobody else's
      ...tls,
    });
    underWay.add(asking);
    const timer = setTimeout(() => asking.destroy(withCode("ETIMEDOUT")), withinMs);
    asking.on("connect", ({ statusCode = 0 }, socket: Socket, early) => {
      socket.on("error", () => {}); // is told to who speaks through it
      if (statusCode >= 200 && statusCode < 300 && early.length === 0) {
        resolve(socket);
      } else {
        socket.destroy();
        reject(withCode(statusCode));
      }
    });
    asking.on("error", reject);
    asking.on("close", () => {
      clearTimeout(timer);
      underWay.delete(asking);
      reject(withCode("ECONNRESET"));
    });
    asking.end();
    return promise;
  }

  return {
    async open(addresses, port) {
      let reason: string | number = "no address";
      const until = performance.now() + timeoutMs;
      for (const [index, { address, family }] of addresses.entries()) {
        const target = `${family === 6 ? `[${address}]` : address}:${port}`;
        const leftMs = until - performance.now();
        if (leftMs <= 0 || closed) break;
        const withinMs = index < addresses.length - 1 ? Math.min(patiencePerAddressMs, leftMs) : leftMs;
        try {
          return await connect(target, withinMs);
        } catch (error) {
          reason = (error as { code?: string | number }).code ?? "unknown";
        }
      }
      if (!closed && !(Number(reason) >= 500)) onTrouble?.(reason);
      // Told apart from a refusal, as where there is no proxy: its time may end a moment before that of the attempt.
      throw reason === "ETIMEDOUT" ? new errors.ConnectTimeoutError() : withCode(reason);
    },
    close() {
      closed = true;
      for (const asking of underWay) asking.destroy();
    },
  };
}

function withCode(code: string | number): Error {
  return Object.assign(new Error(`The proxy gave no connection: ${code}`), { code });
}
