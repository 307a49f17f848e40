/**
 * The API process: starts the HTTP server, and stops it without cutting off requests.
 */
import { once } from "node:events";
import { type AddressInfo, Server as NetServer } from "node:net";
import { hostInUrl } from "../config/network.ts";
import type { Config } from "../config.ts";
import { definitionsDigest } from "../database/definitions.ts";
import type { Log } from "../log.ts";
import { watchOpenRequests } from "../metrics/open-requests.ts";
import { watchPools } from "../metrics/pools.ts";
import { makeRegistry, type Registry } from "../metrics/registry.ts";
import { watchReplicas } from "../metrics/replica.ts";
import { measureRequests } from "../metrics/requests.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { openTracer } from "../tracing/tracer.ts";
import { makeBacklog } from "../web/backlog.ts";
import { callerAddress } from "../web/head.ts";
import { listen, makeServer } from "../web/listening.ts";
import { makeRateLimiter, type RateLimiter } from "../web/rate-limiter.ts";
import { makeApp, unknownRoute } from "./app.ts";
import { serveConnections } from "./connections.ts";
import type { Extension } from "./extension.ts";
import { oneDatabase } from "./one-database.ts";
import { approvalPages } from "./pages/approval.ts";
import { makeAsk } from "./pages/ask.ts";
import { documentPages } from "./pages/document.ts";
import { healthPages } from "./pages/health.ts";
import { invitationPages } from "./pages/invitation.ts";
import { onwardLink } from "./pages/onward.ts";
import { signingKeyPages } from "./pages/signing-keys.ts";
import { makeServe, serveOperations } from "./perform.ts";
import { deadlineFor } from "./request.ts";
import { makeSlots } from "./streams/slots.ts";
import { defaultWatching, type WatchingSettings } from "./streams/watching.ts";

/** How long running requests may take once the process stops; Kubernetes waits longer. (ops/kubernetes) */
export const stopTimeoutMs = 6_000;
/** When stopping, how long an idle connection stays open: a load balancer needs this time to see that the port is closed. */
export const defaultQuietMs = 1_500;

export type RunningApi = { url: string; stop(quietMs?: number): Promise<void> };

export type ApiOptions = {
  extensions?: Extension[];
  rateLimiter?: RateLimiter;
  watching?: WatchingSettings;
  registry?: Registry;
};

/** @throws Error of the operating system if it cannot listen on the port. */
export async function startApi(
  config: Config,
  adminUrl: string,
  key: MasterKey,
  log: Log,
  {
    extensions = [],
    rateLimiter = makeRateLimiter(),
    watching = defaultWatching,
    registry = makeRegistry("api"),
  }: ApiOptions = {},
): Promise<RunningApi> {
  const tracer = await openTracer(config.tracing, "api");
  const metrics = measureRequests(registry);
  const [arriving, unsent] = [makeBacklog(), makeBacklog()];
  const addressOf = callerAddress(config.trustsProxy);
  const slots = makeSlots(watching.slots);
  const { poolerUrl, readUrl } = config;
  const urls = { url: adminUrl, poolerUrl, readUrl };
  const shared = { config, key, log, rateLimiter, tracer, arriving, unsent, slots, pace: watching.pace };
  const databases = first(extensions, (each) => each.databases?.(urls, shared)) ?? oneDatabase(urls, shared);
  const present = first(extensions, (each) => each.present?.(config));
  const { answering } = databases;
  const onward = onwardLink(config.applicationUrl);
  const deadlineMs = deadlineFor(config.responseMs);
  const ask = makeAsk({ answering, addressOf, deadlineMs, log });
  const serve = makeServe({ answering, metrics, tracer, deadlineMs, log });
  const attached = extensions.flatMap(
    (each) => each.pages?.({ config, ask, serve, addressOf, arriving, rateLimiter, log }) ?? [],
  );
  const app = makeApp({
    operations: serveOperations({ serve, addressOf, arriving, unsent, present }),
    pages: [
      ...attached.map(({ handler }) => handler),
      documentPages(config.baseUrl),
      invitationPages(ask, onward),
      approvalPages(ask, onward),
      healthPages(databases, definitionsDigest(), log),
      signingKeyPages(databases, log),
    ],
    answering,
    addressOf,
    metrics,
    log,
  });
  const opened = () => [...databases.opened()].map(([cell, { pools }]) => ({ cell, ...pools }));
  watchPools(registry, opened);
  if (readUrl)
    watchReplicas(registry, () => opened().flatMap(({ cell, replica }) => (replica ? [{ cell, replica }] : [])));
  watchOpenRequests(registry, {
    rateLimiter,
    slots,
    backlogs: { bodies: arriving, answers: unsent },
    listening: () => [...databases.opened()].map(([cell, { listening }]) => ({ cell, isListening: listening() })),
  });

  const server = makeServer(config.maxConnections, config.keepAliveMs);
  const connections = serveConnections(server, app, unsent, (method, requestId, { status, code = "" }) => {
    metrics.began();
    metrics.ended(method, unknownRoute, status, code, 0);
    log.info({ requestId, method, status, code });
  });
  await listen(server, config.port, config.host);
  return {
    url: `http://${hostInUrl(config.host)}:${(server.address() as AddressInfo).port}`,
    async stop(quietMs = defaultQuietMs) {
      const closed = once(server, "close");
      // Closes only the port: `server.close` would destroy idle connections, on which a request may be arriving.
      NetServer.prototype.close.call(server);
      connections.stop(quietMs); // first, so that the answers to waiting requests carry `Connection: close`
      databases.stop();
      const timeout = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
      await closed;
      clearTimeout(timeout);
      server.close(); // ends its timer, too
      await Promise.all([databases.close(), ...attached.map(({ close }) => close?.()), tracer?.stop()]);
    },
  };
}

/** What the first extension that has it brings. */
function first<Part>(extensions: Extension[], part: (each: Extension) => Part | undefined): Part | undefined {
  for (const each of extensions) {
    const found = part(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
