/**
 * The API process: starts the HTTP server, and stops it without cutting off requests.
 */
import { once } from "node:events";
import { type AddressInfo, Server as NetServer } from "node:net";
import { type Response, Router } from "express";
import { type Config, hostInUrl } from "../config.ts";
import { type ApiPools, openApiPools } from "../database/api-pools.ts";
import { definitionsDigest } from "../database/definitions.ts";
import { urlAs } from "../database/urls.ts";
import type { Log } from "../log.ts";
import { watchOpenRequests } from "../metrics/open-requests.ts";
import { watchPools } from "../metrics/pools.ts";
import { makeRegistry, type Registry } from "../metrics/registry.ts";
import { watchReplica } from "../metrics/replica.ts";
import { measureRequests } from "../metrics/requests.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { openTracer } from "../tracing/tracer.ts";
import { makeBacklog } from "../web/backlog.ts";
import { callerAddress } from "../web/caller-address.ts";
import { listen, makeServer } from "../web/listening.ts";
import { makeRateLimiter, type RateLimiter } from "../web/rate-limiter.ts";
import { makeApp, unknownRoute } from "./app.ts";
import { serveConnections } from "./connections.ts";
import type { ApiServices } from "./context.ts";
import { callReadiness } from "./handle.ts";
import { hookInbox } from "./hook-inbox.ts";
import { makeIdentities } from "./limits/identities.ts";
import { countRequestMinutes } from "./limits/request-minutes.ts";
import { only } from "./methods.ts";
import { approvalPages } from "./pages/approval.ts";
import { documentPages } from "./pages/document.ts";
import { invitationPages } from "./pages/invitation.ts";
import { defaultWatching, startWatching, type WatchingSettings } from "./streams/watching.ts";

/** How long running requests may take once the process stops; Kubernetes waits longer. (ops/kubernetes) */
export const stopTimeoutMs = 6_000;
/** When stopping, how long an idle connection stays open: a load balancer needs this time to see that the port is closed. */
const defaultQuietMs = 1_500;

export type RunningApi = { url: string; stop(quietMs?: number): Promise<void> };

/** @throws Error of the operating system if it cannot listen on the port. */
export async function startApi(
  config: Config,
  adminUrl: string,
  key: MasterKey,
  log: Log,
  rateLimiter: RateLimiter = makeRateLimiter(),
  watchingSettings: WatchingSettings = defaultWatching,
  registry: Registry = makeRegistry("api"),
): Promise<RunningApi> {
  const as = (url: string) => urlAs("server", url, key);
  const pools = openApiPools(as(config.poolerUrl ?? adminUrl), {
    pooled: config.poolerUrl !== undefined,
    readUrl: config.readUrl && as(config.readUrl),
  });
  const unsent = makeBacklog();
  const watching = startWatching(as(adminUrl), pools, watchingSettings, unsent);
  const tracer = await openTracer(config.tracing, "api");
  const requestMinutes = countRequestMinutes(pools, log);
  const service: ApiServices = {
    pools,
    rateLimiter,
    rateLimits: config.rateLimits,
    identities: makeIdentities(),
    master: key,
    allowed: { ranges: config.webhooks.allowed, hosts: config.webhooks.allowedHosts },
    addressOf: (request) => callerAddress(request, config.trustsProxy),
    apiUrl: `${config.baseUrl}/api/v1`,
    watching,
    arriving: makeBacklog(),
    unsent,
    requestMinutes,
    metrics: measureRequests(registry),
    tracer,
  };
  watchPools(registry, pools.pools);
  if (pools.replica) watchReplica(registry, pools.replica);
  watchOpenRequests(registry, {
    rateLimiter,
    slots: watching.slots,
    backlogs: { bodies: service.arriving, answers: unsent },
    listening: watching.notifications.listening,
  });
  const pages = [
    hookInbox(service, log),
    documentPages(config.baseUrl),
    invitationPages(service, log),
    approvalPages(service, log),
    health(pools, definitionsDigest()),
  ];
  const app = makeApp(service, log, pages);

  const server = makeServer(config.maxConnections);
  const connections = serveConnections(server, app, unsent, (method, requestId, { status, code = "" }) => {
    service.metrics.began();
    service.metrics.ended(method, unknownRoute, status, code, 0);
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
      watching.stop();
      const timeout = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
      await closed;
      clearTimeout(timeout);
      await Promise.all([requestMinutes.stop(), tracer?.stop()]);
      await Promise.all([watching.close(), pools.close()]);
    },
  };
}

/**
 * `/healthz`: the process runs. `/readyz`: it can serve: database, definitions, worker. (docs/specification/service.md#health)
 *
 * @param definitions the digest of the SQL definitions at the start of this process
 */
function health(pools: ApiPools, definitions: string): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const state = shared(() => readiness(pools, definitions));
  router.get("/healthz", (_request, response) => plain(response, 200, { status: "ok" }));
  router.get("/readyz", async (_request, response) => {
    const found = await state();
    plain(response, Object.values(found).every((part) => part === "ok") ? 200 : 503, found);
  });
  router.all(["/healthz", "/readyz"], only("get"));
  return router;
}

/** Concurrent calls share one result, so that unauthenticated calls of `/readyz` cannot flood the database. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

async function readiness(
  pools: ApiPools,
  definitions: string,
): Promise<{ database: string; migrations: string; worker: string }> {
  try {
    const found = await callReadiness(pools);
    return {
      database: "ok",
      migrations: found.definitions === definitions ? "ok" : "another version",
      worker: found.worker ? "ok" : "silent",
    };
  } catch {
    return { database: "away", migrations: "unknown", worker: "unknown" };
  }
}

function plain(response: Response, status: number, body: object): void {
  response.status(status).set({ "cache-control": "no-store", "x-content-type-options": "nosniff" }).json(body);
}
