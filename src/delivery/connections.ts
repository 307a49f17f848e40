/** The connections to receivers: to addresses that were checked and no others, by TLS that is verified, and kept a while. */
import { createSecureContext, getCACertificates } from "node:tls";
import { Agent, buildConnector } from "undici";
import type { ForwardProxy } from "./proxy.ts";
import type { CheckedResolver } from "./resolve.ts";
import { createTunneller, type Tunneller, type TunnelSettings } from "./tunnel.ts";

export type WayOut = {
  /** Certificate authorities in PEM, trusted beside those that Node trusts. */
  extraCa?: string | undefined;
  /** Where there is no direct way. It is never taken from the environment. */
  proxy?: ForwardProxy | undefined;
  /** Is told when the proxy gave no connection: the receiver may not be to blame. */
  onProxyTrouble?: TunnelSettings["onTrouble"];
};

export type Connections = { agent: Agent; destroy(): Promise<void> };

/** A receiver that moves in the DNS is followed after at most this long, even when its connection is never idle. */
const CONNECTION_LIFE_MS = 60_000;

/** When a name has several addresses: how long each is tried. Node's quarter second is too short for far continents. */
const ATTEMPT_PER_ADDRESS_MS = 1_000;

/** The same where a proxy tries it for us: there is the way to the proxy and back as well. */
const TUNNEL_PER_ADDRESS_MS = 2_500;

/** @param settings.timeoutMs how long an attempt lasts that a connection is made for */
export function createConnections(settings: WayOut & { resolver: CheckedResolver; timeoutMs: number }): Connections {
  const { extraCa, proxy, onProxyTrouble, resolver, timeoutMs } = settings;
  const tls = {
    rejectUnauthorized: true, // stated, as the environment could turn it off
    ...(extraCa && { secureContext: createSecureContext({ ca: [...getCACertificates("default"), extraCa] }) }),
  };
  const patience = { timeoutMs, patiencePerAddressMs: TUNNEL_PER_ADDRESS_MS };
  const tunneller = proxy && createTunneller({ ...patience, proxy, tls, onTrouble: onProxyTrouble });

  /** TLS with the receiver itself, through a tunnel to one of its checked addresses. */
  function throughTunnels({ open }: Tunneller): buildConnector.connector {
    const shakeHands = buildConnector({ ...tls, allowH2: false, timeout: timeoutMs });
    return (options, callback) => {
      open(resolver.addressesOf(options.hostname), Number(options.port || 443)).then(
        (httpSocket) => shakeHands({ ...options, httpSocket }, callback),
        (error) => callback(error, null),
      );
    };
  }

  // An agent of our own, since the global one may be made to follow a proxy by the environment, which would resolve
  // names in our place. Its own timers are off: they count idle time, so that a byte now and then holds them for ever.
  // It opens as many connections as there are posts: one that waited for another's would do so within its own deadline,
  // and tenants whose receivers share a host would fail by each other. How many there are is decided in SQL.
  const agent = new Agent({
    clientTtl: CONNECTION_LIFE_MS,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: timeoutMs, // not to end the attempt, but the socket that an ended attempt leaves behind
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_PER_ADDRESS_MS,
    connect: tunneller ? throughTunnels(tunneller) : { ...tls, lookup: resolver.lookup },
  });

  return {
    agent,
    async destroy() {
      tunneller?.close();
      await agent.destroy(); // not `close`, which would also wait for handshakes that nobody waits for any more
    },
  };
}
