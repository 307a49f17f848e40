/**
 * The API process: listens, answers, and stops without cutting off whoever is being answered.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Response, Router } from "express";
import type { Config } from "../config.ts";
import { definitionsDigest } from "../database/definitions.ts";
import { type Lanes, openLanes } from "../database/lanes.ts";
import { urlAs } from "../database/urls.ts";
import type { Log } from "../log.ts";
import { watchHeld } from "../metrics/held.ts";
import { watchPools } from "../metrics/pools.ts";
import { makeRegistry, type Registry } from "../metrics/registry.ts";
import { measureRequests } from "../metrics/requests.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { openTracer } from "../tracing/spans.ts";
import { answerParserError, makeApp } from "./app.ts";
import { type Buckets, makeBuckets } from "./buckets.ts";
import { callerAddress } from "./caller-address.ts";
import { callReadiness } from "./handle.ts";
import { hookInbox } from "./hook-inbox.ts";
import { makeIdentities } from "./identities.ts";
import type { Service } from "./operation.ts";
import { approvalPages } from "./pages/approval.ts";
import { documentPages } from "./pages/document.ts";
import { invitationPages } from "./pages/invitation.ts";
import { countRequestMinutes } from "./request-minutes.ts";
import { type Limits, startWatching, usual } from "./watching/watching.ts";

export type RunningApi = { url: string; stop(): Promise<void> };

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
  const databaseUrl = urlAs("server", adminUrl, key);
  const lanes = openLanes(databaseUrl);
  const watching = startWatching(databaseUrl, lanes, limits);
  const tracer = await openTracer(config.tracing, "api");
  const requestMinutes = countRequestMinutes(lanes, log);
  const service: Service = {
    lanes,
    buckets,
    identities: makeIdentities(),
    master: key,
    allowed: config.webhooks.allowed,
    addressOf: (request) => callerAddress(request, config.trustsProxy),
    apiUrl: `${config.baseUrl}/api/v1`,
    watching,
    requestMinutes,
    metrics: measureRequests(registry),
    tracer,
  };
  watchPools(registry, lanes.pools);
  watchHeld(registry, { buckets, places: watching.places, listening: watching.news.listening });
  const pages = [
    hookInbox(service, log),
    documentPages(config.baseUrl),
    invitationPages(service, log),
    approvalPages(service, log),
    health(lanes),
  ];
  const app = makeApp(service, log, pages);

  // Node would answer a request without a Host by itself, with no body; the application answers it in our shape.
  const timeouts = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };
  const server = createServer({ ...timeouts, requireHostHeader: false }, app);
  server.on("clientError", answerParserError);
  // What a client expects before it sends its body, we neither promise nor refuse: it may just send it.
  server.on("checkExpectation", app);
  await listen(server, config.port, config.host);
  return {
    url: `http://${config.host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      watching.stop();
      server.closeIdleConnections();
      const impatience = setTimeout(() => server.closeAllConnections(), 6_000);
      await closed;
      clearTimeout(impatience);
      await Promise.all([requestMinutes.stop(), tracer?.stop()]);
      await Promise.all([watching.close(), lanes.close()]);
    },
  };
}

/** @throws Error in a sentence when the address is taken. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new Error(`Port ${port} of ${host} is taken by another program.`) : error);
    });
    server.listen(port, host, () => resolve());
  });
}

/** `/healthz`: this process lives. `/readyz`: it can serve: database, definitions, worker. (decisions: section 6.) */
function health(lanes: Lanes): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => plain(response, 200, { status: "ok" }));
  router.get("/readyz", async (_request, response) => {
    const state = await readiness(lanes);
    plain(response, Object.values(state).every((part) => part === "ok") ? 200 : 503, state);
  });
  return router;
}

async function readiness(lanes: Lanes): Promise<{ database: string; migrations: string; worker: string }> {
  try {
    const found = await callReadiness(lanes);
    return {
      database: "ok",
      migrations: found.definitions === definitionsDigest() ? "ok" : "another version",
      worker: found.worker ? "ok" : "silent",
    };
  } catch {
    return { database: "away", migrations: "unknown", worker: "unknown" };
  }
}

function plain(response: Response, status: number, body: object): void {
  response.status(status).set("cache-control", "no-store").json(body);
}
