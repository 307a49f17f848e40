/** Connections to receivers: only to checked addresses, with verified TLS, kept alive for up to 60 seconds. */
import { createSecureContext, getCACertificates } from "node:tls";
import { Agent, buildConnector } from "undici";
import { createPool } from "./client.ts";
import type { ForwardProxy } from "./proxy.ts";
import type { CheckedResolver } from "./resolve.ts";
import { createTunneller, type Tunneller, type TunnelSettings } from "./tunnel.ts";

export type ConnectionSettings = {
  /** Certificate authorities in PEM, trusted in addition to Node's. */
  extraCa?: string | undefined;
  /** For networks without a direct route. Environment variables are ignored. */
  proxy?: ForwardProxy | undefined;
  /** Called if the proxy refused a connection, because the receiver may not be at fault. */
  onProxyFailure?: TunnelSettings["onFailure"];
};

export type Connections = {
  agent: Agent;
  /** Uses a new connection for each request. */
  fresh: Agent;
  destroy(): Promise<void>;
};

/** Longest life of a connection, even of a busy one, so that a change in the DNS takes effect. */
const CONNECTION_LIFE_MS = 60_000;

/** Time-out for each of several addresses. Node's default of 250 ms is too short for other continents. */
const ATTEMPT_PER_ADDRESS_MS = 1_000;

/** The same through a proxy, which adds the round trip to the proxy. */
const TUNNEL_PER_ADDRESS_MS = 2_500;

/** As large as the body may be. Some receivers send large cookies and policies. */
const MAX_HEADER_BYTES = 64 * 1024;

/** @param settings.timeoutMs deadline of the attempt that needs the connection */
export function createConnections(
  settings: ConnectionSettings & { resolver: CheckedResolver; timeoutMs: number },
): Connections {
  const { extraCa, proxy, onProxyFailure, resolver, timeoutMs } = settings;
  const tls = {
    rejectUnauthorized: true, // explicit, because the environment can turn the default off
    ...(extraCa && { secureContext: createSecureContext({ ca: [...getCACertificates("default"), extraCa] }) }),
  };
  const timeouts = { timeoutMs, addressTimeoutMs: TUNNEL_PER_ADDRESS_MS };
  const tunneller = proxy && createTunneller({ ...timeouts, proxy, tls, onFailure: onProxyFailure });

  /** TLS ends at the receiver, through a tunnel to one of its checked addresses. */
  function throughTunnels({ open }: Tunneller): buildConnector.connector {
    const startTls = buildConnector({ ...tls, allowH2: false, timeout: timeoutMs });
    return (options, callback) => {
      open(resolver.addressesOf(options.hostname), Number(options.port || 443)).then(
        (httpSocket) => startTls({ ...options, httpSocket }, callback),
        (error) => callback(error, null),
      );
    };
  }

  // Not the global agent: environment variables could make it use a proxy, which would resolve names itself.
  // The agent's time-outs are off: they count idle time, so a receiver that drips bytes would never hit them.
  // Connections are unlimited: a post that waits for a connection would lose part of its deadline. Tenants whose
  // receivers share a host would delay each other. SQL limits the number of attempts.
  const options: Agent.Options = {
    clientTtl: CONNECTION_LIFE_MS,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    connectTimeout: timeoutMs, // closes the socket of an attempt that has already ended
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_PER_ADDRESS_MS,
    connect: tunneller ? throughTunnels(tunneller) : { ...tls, lookup: resolver.lookup },
    factory: createPool,
  };
  const agent = new Agent(options);
  const fresh = new Agent({ ...options, pipelining: 0 });

  return {
    agent,
    fresh,
    async destroy() {
      tunneller?.close();
      await Promise.all([agent.destroy(), fresh.destroy()]); // not `close`, which waits for abandoned handshakes
    },
  };
}
