/**
 * The API process: listens, answers, and stops without cutting off whoever is being answered.
 */
import { once } from "node:events";
import { type AddressInfo, Server as NetServer } from "node:net";
import { type Response, Router } from "express";
import { type Config, hostInUrl } from "../config.ts";
import { definitionsDigest } from "../database/definitions.ts";
import { type Lanes, openLanes } from "../database/lanes.ts";
import { urlAs } from "../database/urls.ts";
import { listen, makeServer } from "../listening.ts";
import type { Log } from "../log.ts";
import { watchHeld } from "../metrics/held.ts";
import { watchPools } from "../metrics/pools.ts";
import { makeRegistry, type Registry } from "../metrics/registry.ts";
import { watchReplica } from "../metrics/replica.ts";
import { measureRequests } from "../metrics/requests.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { openTracer } from "../tracing/spans.ts";
import { makeApp, unknownRoute } from "./app.ts";
import { makeBacklog } from "./backlog.ts";
import { type Buckets, makeBuckets } from "./buckets.ts";
import { callerAddress } from "./caller-address.ts";
import { attend } from "./connections.ts";
import { callReadiness } from "./handle.ts";
import { hookInbox } from "./hook-inbox.ts";
import { makeIdentities } from "./identities.ts";
import { approvalPages } from "./pages/approval.ts";
import { documentPages } from "./pages/document.ts";
import { invitationPages } from "./pages/invitation.ts";
import { countRequestMinutes } from "./request-minutes.ts";
import type { Service } from "./service.ts";
import { type Limits, startWatching, usual } from "./watching/watching.ts";

/** How long who is being answered may take once the process is asked to stop; a platform waits longer. (ops/kubernetes) */
export const patienceMs = 6_000;
/** How long a kept connection may be silent then before it is ended: a balancer needs so long to see that the port is closed. */
const usualQuietMs = 1_500;

export type RunningApi = { url: string; stop(quietMs?: number): Promise<void> };

/** @throws Error of the operating system when the port can't be had. */
export async function startApi(
  config: Config,
  adminUrl: string,
  key: MasterKey,
  log: Log,
  buckets: Buckets = makeBuckets(),
  limits: Limits = usual,
  registry: Registry = makeRegistry("api"),
): Promise<RunningApi> {
  const as = (url: string) => urlAs("server", url, key);
  const lanes = openLanes(as(config.poolerUrl ?? adminUrl), {
    pooled: config.poolerUrl !== undefined,
    readUrl: config.readUrl && as(config.readUrl),
  });
  const unsent = makeBacklog();
  const watching = startWatching(as(adminUrl), lanes, limits, unsent);
  const tracer = await openTracer(config.tracing, "api");
  const requestMinutes = countRequestMinutes(lanes, log);
  const service: Service = {
    lanes,
    buckets,
    rateLimits: config.rateLimits,
    identities: makeIdentities(),
    master: key,
    allowed: config.webhooks.allowed,
    addressOf: (request) => callerAddress(request, config.trustsProxy),
    apiUrl: `${config.baseUrl}/api/v1`,
    watching,
    arriving: makeBacklog(),
    unsent,
    requestMinutes,
    metrics: measureRequests(registry),
    tracer,
  };
  watchPools(registry, lanes.pools);
  if (lanes.replica) watchReplica(registry, lanes.replica);
  watchHeld(registry, {
    buckets,
    places: watching.places,
    backlogs: { bodies: service.arriving, answers: unsent },
    listening: watching.news.listening,
  });
  const pages = [
    hookInbox(service, log),
    documentPages(config.baseUrl),
    invitationPages(service, log),
    approvalPages(service, log),
    health(lanes, definitionsDigest()),
  ];
  const app = makeApp(service, log, pages);

  const server = makeServer(config.mostConnections);
  const attendance = attend(server, app, unsent, (method, requestId, { status, code = "" }) => {
    service.metrics.began();
    service.metrics.ended(method, unknownRoute, status, code, 0);
    log.info({ requestId, method, status, code });
  });
  await listen(server, config.port, config.host);
  return {
    url: `http://${hostInUrl(config.host)}:${(server.address() as AddressInfo).port}`,
    async stop(quietMs = usualQuietMs) {
      const closed = once(server, "close");
      // The port alone: Node's own close of an HTTP server destroys kept connections, on which a request may be on its way.
      NetServer.prototype.close.call(server);
      attendance.stop(quietMs); // before those who wait are answered, so that they are told to ask no more here
      watching.stop();
      const impatience = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed;
      clearTimeout(impatience);
      await Promise.all([requestMinutes.stop(), tracer?.stop()]);
      await Promise.all([watching.close(), lanes.close()]);
    },
  };
}

/**
 * `/healthz`: this process lives. `/readyz`: it can serve: database, definitions, worker. (decisions: section 6.)
 *
 * @param definitions the digest of those that this process was started with, whatever lies on disk by now
 */
function health(lanes: Lanes, definitions: string): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get("/healthz", (_request, response) => plain(response, 200, { status: "ok" }));
  router.get("/readyz", async (_request, response) => {
    const state = await readiness(lanes, definitions);
    plain(response, Object.values(state).every((part) => part === "ok") ? 200 : 503, state);
  });
  return router;
}

async function readiness(
  lanes: Lanes,
  definitions: string,
): Promise<{ database: string; migrations: string; worker: string }> {
  try {
    const found = await callReadiness(lanes);
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
  response.status(status).set("cache-control", "no-store").json(body);
}
