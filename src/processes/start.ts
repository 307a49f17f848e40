/**
 * `botstead start`: supervises the database, and the API, worker and console as processes of their own, so that a crash
 * of one leaves the others running. Only this process has the master key.
 */
import type { ChildProcess } from "node:child_process";
import { mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { targetsOf } from "../config/outbound.ts";
import { type Config, givenSettings } from "../config.ts";
import { type Database, openDatabase } from "../database/access.ts";
import { requireNoHolder, wasKilled } from "../database/embedded.ts";
import { faultOf, makeLog } from "../log.ts";
import { watchDataDirectory } from "../metrics/data-directory.ts";
import { exposeMetrics } from "../metrics/endpoint.ts";
import { ownRegistry } from "../metrics/parent-channel.ts";
import { gatherFamily } from "../metrics/siblings.ts";
import { loadMasterKey } from "../secrets/master-key.ts";
import { print } from "../terminal.ts";
import { probePort } from "../web/listening.ts";
import { compiled } from "./compile-cache.ts";
import { createDemo, type Demo, demoWasShown } from "./demo.ts";
import { buildPagesInBackground } from "./pages-build.ts";
import { panel } from "./panel.ts";
import { addressesOf, environmentOfPart, type StartedPart, secretNames, startedParts } from "./part-environment.ts";
import { stopRequest } from "./part-process.ts";
import { recordSettings } from "./server-settings.ts";
import { type Supervised, supervise } from "./supervision.ts";

/** After a child ends, how long this process waits for a signal of its own. */
const ownSignalTimeoutMs = 500;
/** How long a start waits for the ports of one that was killed. */
const predecessorTimeoutMs = 20_000;

const say = (sentence: string) => void print(`  ${sentence}\n`);

/** Runs until SIGINT, SIGTERM or SIGHUP. @throws Error if something it needs is unavailable */
export async function start(config: Config): Promise<void> {
  let stopRequested = false;
  const stopping = stopRequest().then(() => {
    stopRequested = true;
  });
  await requirePorts(config); // before anything is created
  const key = loadMasterKey(config);
  // With the embedded database a person watches the terminal, so the log goes to a file.
  const logFile = config.databaseUrl ? undefined : join(config.dataDir, "botstead.log");
  if (logFile) mkdirSync(config.dataDir, { recursive: true });
  const logTo = logFile ? openSync(logFile, "a", 0o600) : 2;
  const log = makeLog(config.logLevel, "start", logTo);

  const registry = ownRegistry("start");
  const family = gatherFamily(registry);
  const parts = new Map<StartedPart, Supervised>();
  const closing: (() => void | Promise<void>)[] = [];
  const addresses = {
    api: Promise.withResolvers<Record<string, string>>(),
    others: Promise.withResolvers<Record<string, string>>(),
  };
  const embedded = !config.databaseUrl;
  try {
    const opened = openDatabase(config, key, say);
    closing.push(async () => (await opened.catch(() => undefined))?.stop());
    await compiled.served;
    // The API loads its modules while the database is created or starts, since it is served first. The other parts load theirs
    // after it is ready, since the migrations take both cores.
    if (embedded) startPart("api");
    const { migrate, recordNew } = await import("../database/migrate.ts"); // takes as long as the start of PostgreSQL
    const database = await opened;
    if (embedded) closing.push(recordSettings(config.dataDir, givenSettings(secretNames)));
    const { adminUrl, isNew } = database;
    if (!stopRequested)
      await migrate({ adminUrl, isNew, recordsLater: true, key, allowed: targetsOf(config), progress: say });
    const served = stopRequested ? undefined : await startParts(database);
    if (served && !stopRequested) {
      await print(panel({ config, ...served, embedded, logFile }));
      if (served.demo) demoWasShown(config.dataDir);
      buildPagesInBackground(log, say);
      if (isNew) closing.push(inBackground(recordNew(adminUrl, key)));
      await stopping;
      say("Stopping: requests and jobs in progress finish first");
    } else {
      say("Stopped before the start was complete: the next start continues it");
    }
  } catch (error) {
    // Ctrl-C can reach a child before this process. The end of the child is then no failure.
    await Promise.race([stopping, sleep(ownSignalTimeoutMs)]);
    if (!stopRequested) throw error;
    log.warn({ error: faultOf(error) }, "a step of the start failed during shutdown, ignoring it");
  } finally {
    await Promise.all([...parts.values()].map((part) => part.stop()));
    for (const close of closing.reverse()) await close();
    if (process.connected) process.disconnect(); // an open channel to a parent would keep this process alive
  }

  /** Resolves when all parts are ready, or with undefined when this process is asked to stop. */
  async function startParts(database: Database): Promise<{ apiUrl: string; demo: Demo | undefined } | undefined> {
    say("Starting the API, the worker and the console");
    const known = addressesOf(config, database.adminUrl);
    if (embedded) watchDataDirectory(registry, config.dataDir);
    const endpoint = config.metrics && (await exposeMetrics(config.metrics, family.exposition));
    if (endpoint) closing.push(endpoint.stop);
    const startOthers = () => {
      for (const part of startedParts) if (!parts.has(part)) startPart(part, embedded ? undefined : known);
    };
    // With the embedded database the API connects first, so that it is served first. On a first start it also has both cores.
    if (!database.isNew) startOthers();
    addresses.api.resolve(known);
    const [demo, apiUrl] = await Promise.all([
      embedded ? createDemo(config.dataDir, database.adminUrl, key) : undefined,
      Promise.race([parts.get("api")?.ready, stopping]),
    ]);
    if (stopRequested) return undefined;
    await Promise.race([compiled.all, stopping]);
    if (stopRequested) return undefined;
    startOthers();
    addresses.others.resolve(known);
    await Promise.race([Promise.all(startedParts.map((part) => parts.get(part)?.ready)), stopping]);
    return { apiUrl: apiUrl ?? "", demo };
  }

  /** @param known without it, the part waits for `addresses` */
  function startPart(part: StartedPart, known?: Record<string, string>): void {
    const environment = environmentOfPart(part, key, known);
    const adopt = (child: ChildProcess) => family.adopt(part, child);
    const rest = known ? undefined : (part === "api" ? addresses.api : addresses.others).promise;
    parts.set(part, supervise(part, environment, logTo, log, adopt, rest));
  }

  /** Waits for the record of the new database. */
  function inBackground(recording: Promise<void>): () => Promise<void> {
    const recorded = recording.catch((error) =>
      log.warn({ error: faultOf(error) }, "recording the new database failed, the next start will rebuild it"),
    );
    return () => recorded;
  }
}

/** @throws Error if a port is unavailable, before anything is created */
async function requirePorts({ host, port, consolePort, metrics, databaseUrl, dataDir }: Config): Promise<void> {
  const wanted = [
    { setting: "PORT", host, port },
    { setting: "CONSOLE_PORT", host, port: consolePort },
    ...(metrics ? [{ setting: "METRICS_PORT", ...metrics }] : []),
  ];
  const until = databaseUrl === undefined && wasKilled(dataDir) ? performance.now() + predecessorTimeoutMs : 0;
  for (const { setting, host: at, port: number } of wanted) {
    const twin = wanted.find(
      (other) => other.setting !== setting && other.host === at && other.port === number && number !== 0,
    );
    if (twin) throw new Error(`${setting} and ${twin.setting} are both ${number}: give each a port of its own.`);
    try {
      await freePort(number, at, until);
    } catch (error) {
      if (databaseUrl === undefined) requireNoHolder(dataDir);
      const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
      throw new Error(
        cause?.code === "EADDRINUSE" ? `${message} Stop it, or set ${setting} to another port.` : message,
      );
    }
  }
}

/** Parts of a killed start complete their requests before they free their ports. */
async function freePort(port: number, host: string, until: number): Promise<void> {
  for (;;) {
    try {
      await probePort(port, host);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await sleep(200);
  }
}
