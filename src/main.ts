/**
 * `botstead start`: everything in one command. The database and the API live in this process's care, the worker and the
 * console in processes of their own, so that none takes another down.
 */
import { mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { openDatabase } from "./database/access.ts";
import { migrate } from "./database/migrate.ts";
import { foundDemo } from "./demo.ts";
import { startApi } from "./http/server.ts";
import { makeLog } from "./log.ts";
import { giveBackMemory } from "./memory.ts";
import { exposeMetrics } from "./metrics/endpoint.ts";
import { gatherFamily } from "./metrics/siblings.ts";
import { ownRegistry } from "./metrics/tell.ts";
import { panel } from "./panel.ts";
import { loadMasterKey } from "./secrets/master-key.ts";
import { askedToStop, supervise } from "./supervision.ts";

/** Runs until asked to stop. @throws Error in a sentence when something it needs can't be had. */
export async function start(config: Config): Promise<void> {
  const say = (sentence: string) => process.stdout.write(`  ${sentence}\n`);
  const stopping = askedToStop();
  const key = loadMasterKey(config);
  // With a terminal in front of it, the log goes where it does not bury what is said here.
  const logFile = config.databaseUrl ? undefined : join(config.dataDir, "botstead.log");
  if (logFile) mkdirSync(config.dataDir, { recursive: true });
  const logTo = logFile ? openSync(logFile, "a", 0o600) : 2;
  const log = makeLog(config.logLevel, "api", logTo);
  giveBackMemory();

  const closing: (() => Promise<void>)[] = [];
  try {
    const database = await openDatabase(config, key, say);
    closing.push(database.stop);
    await migrate({ adminUrl: database.adminUrl, key, rebuild: false, progress: say });
    const demo = database.embedded ? await foundDemo(database.adminUrl, key) : undefined;

    say("Starting the API, the worker and the console");
    const registry = ownRegistry("api");
    const family = gatherFamily(registry);
    const endpoint = config.metrics && (await exposeMetrics(config.metrics, family.exposition));
    if (endpoint) closing.push(endpoint.stop);
    const api = await startApi(config, database.adminUrl, key, log, undefined, undefined, registry);
    const parts = ["worker", "console"].map((command) =>
      supervise(command, logTo, log, (child) => family.adopt(command, child)),
    );
    closing.push(async () => void (await Promise.all([api, ...parts].map((part) => part.stop()))));
    const ready = Promise.all(parts.map((part) => part.ready));
    const interrupted = await Promise.race([ready.then(() => false), stopping.then(() => true)]);
    if (!interrupted) {
      process.stdout.write(panel({ config, apiUrl: api.url, embedded: database.embedded, logFile, demo }));
      await stopping;
    }
    say("Stopping: what is under way is finished first");
  } finally {
    for (const close of closing.reverse()) await close();
  }
}
