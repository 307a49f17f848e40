/**
 * The commands that run something: start, or one part of it by itself; and migrate.
 */
import { Command, Option } from "commander";
import { type Config, readConfig, sayProduction } from "../config.ts";
import { type LoginRole, loginRoles } from "../database/roles.ts";
import { urlAs } from "../database/urls.ts";
import { makeLog } from "../log.ts";
import { giveBackMemory } from "../memory.ts";
import { askedToStop, sayReady } from "../supervision.ts";
import { runningDatabase, withDatabase } from "./database.ts";

// What a command runs is loaded when it runs: minting a key need not wait for PostGraphile.
export function processCommands(): Command[] {
  return [
    new Command("start")
      .description("run everything: database, migrations, API, worker and console")
      .action(async () => {
        const { start } = await import("../main.ts");
        await start(readConfig());
      }),
    new Command("api").description("run the API alone").action(async () => {
      const { startApi } = await import("../http/server.ts");
      const { config, key, adminUrl } = await runningDatabase();
      const metrics = await telling("api", config);
      const api = await startApi(
        config,
        adminUrl,
        key,
        makeLog(config.logLevel, "api"),
        undefined,
        undefined,
        metrics.registry,
      );
      await untilAskedToStop(() => Promise.all([api.stop(), metrics.stop()]));
    }),
    new Command("worker")
      .description("run the worker alone: deliveries, mail, and the runs of bots")
      .action(async () => {
        const { startWorker } = await import("../worker/worker.ts");
        const { config, key, adminUrl } = await runningDatabase();
        const metrics = await telling("worker", config);
        const worker = await startWorker(config, adminUrl, key, makeLog(config.logLevel, "worker"), metrics.registry);
        await untilAskedToStop(() => Promise.all([worker.stop(), metrics.stop()]), worker.done);
      }),
    new Command("console").description("run the operators' console alone").action(async () => {
      sayProduction();
      const { startConsole } = await import("../console/server.ts");
      const { config, key, adminUrl } = await runningDatabase();
      const metrics = await telling("console", config);
      const log = makeLog(config.logLevel, "console");
      const console = await startConsole(config, adminUrl, key, log, metrics.registry, metrics.exposition);
      await untilAskedToStop(() => Promise.all([console.stop(), metrics.stop()]));
    }),
    new Command("migrate")
      .description("bring the database to what this version needs; may be run at any time")
      .action(() =>
        withDatabase(async ({ adminUrl, key }) => {
          const { migrate } = await import("../database/migrate.ts");
          await migrate({
            adminUrl,
            key,
            rebuild: true,
            progress: (sentence) => process.stderr.write(`${sentence}\n`),
          });
          process.stderr.write("The database is up to date.\n");
        }),
      ),
    new Command("database-url")
      .description("print the administrator's address of the database, as for psql")
      .addOption(new Option("--role <role>", "the address of one of our logins instead").choices(loginRoles))
      .action(async ({ role }: { role?: LoginRole }) => {
        const { adminUrl, key } = await runningDatabase();
        process.stdout.write(`${role ? urlAs(role, adminUrl, key) : adminUrl}\n`);
      }),
  ];
}

/** Loaded here for the same reason. */
async function telling(part: string, config: Config) {
  const { tellMetrics } = await import("../metrics/tell.ts");
  return tellMetrics(part, config.metrics);
}

/** @param ended resolves or rejects when the part ended without being asked, which is a failure either way */
async function untilAskedToStop(stop: () => Promise<unknown>, ended?: Promise<void>): Promise<void> {
  giveBackMemory();
  sayReady();
  const unasked = ended?.then(() => {
    throw new Error("It stopped by itself.");
  });
  try {
    await Promise.race([askedToStop(), ...(unasked ? [unasked] : [])]);
  } finally {
    unasked?.catch(() => {});
    await stop();
    if (process.connected) process.disconnect();
  }
}
