/** The commands that run processes: start, one part of it alone, and migrate. */
import { Argument, Command, Option } from "commander";
import { type Config, readConfig, setProductionDefaults } from "../config.ts";
import { requireLogins } from "../database/logins.ts";
import { type LoginRole, loginRoles } from "../database/roles.ts";
import { urlAs } from "../database/urls.ts";
import { refuseNewerVersion } from "../database/versions.ts";
import { makeLog } from "../log.ts";
import { buildPagesInBackground } from "../processes/pages-build.ts";
import { reportReady, stopRequest } from "../processes/part-process.ts";
import { hasMasterKey, loadMasterKey } from "../secrets/master-key.ts";
import { type Part, parts, secretsOf } from "../secrets/part-secrets.ts";
import { print } from "../terminal.ts";
import { databaseFor, runningDatabase } from "./database.ts";
import { migrateCommand } from "./migrate.ts";

const administrator = "administrator";

// A command imports its modules when it runs, so that minting a key does not load the console.
export function processCommands(): Command[] {
  return [
    new Command("start")
      .description("run everything: database, migrations, API, worker and console")
      .action(async () => {
        const { start } = await import("../processes/start.ts");
        await start(readConfig());
      }),
    new Command("api").description("run the API alone").action(async () => {
      const [{ startApi }, { extensions }] = await Promise.all([
        import("../api/server.ts"),
        import("../extensions/api.ts"),
      ]);
      const { config, key, adminUrl } = await databaseFor("api");
      await requireLogins(["server"], adminUrl, key, refuseNewerVersion);
      const metrics = await reportMetrics("api", config);
      const log = makeLog(config.logLevel, "api");
      if (!process.send) buildPagesInBackground(log);
      const api = await startApi(config, adminUrl, key, log, { extensions, registry: metrics.registry });
      await untilStopRequest(() => Promise.all([api.stop(), metrics.stop()]), { url: api.url });
    }),
    new Command("worker")
      .description("run the worker alone: deliveries, mail, and the runs of bots")
      .action(async () => {
        const [{ startWorker }, { workerExtensions: extensions }] = await Promise.all([
          import("../worker/worker.ts"),
          import("../extensions/worker.ts"),
        ]);
        const { config, key, adminUrl } = await databaseFor("worker");
        await requireLogins(["worker", "runner"], adminUrl, key, refuseNewerVersion);
        const metrics = await reportMetrics("worker", config);
        const log = makeLog(config.logLevel, "worker");
        const worker = await startWorker(config, adminUrl, key, log, { extensions, registry: metrics.registry });
        await untilStopRequest(() => Promise.all([worker.stop(), metrics.stop()]), { ended: worker.done });
      }),
    new Command("console").description("run the operators' console alone").action(async () => {
      setProductionDefaults();
      const { startConsole } = await import("../console/server.ts");
      const { config, key, adminUrl } = await databaseFor("console");
      await requireLogins(["operator"], adminUrl, key, refuseNewerVersion);
      const metrics = await reportMetrics("console", config);
      const log = makeLog(config.logLevel, "console");
      if (!process.send) buildPagesInBackground(log);
      const console = await startConsole(config, adminUrl, key, log, metrics.registry, metrics.exposition);
      await untilStopRequest(() => Promise.all([console.stop(), metrics.stop()]));
    }),
    new Command("build")
      .description("compile the code and build the pages for browsers, after an installation and each update")
      .option("--user <name or id>", "system user that runs the processes, if it is another one")
      .action(async ({ user }: { user?: string }) => (await import("../processes/build.ts")).build(user)),
    migrateCommand(),
    new Command("secrets")
      .description("print the secrets of one process instead of the master key, as lines for its environment")
      .addArgument(new Argument("<process>", "which").choices(parts))
      .action((part: Part) => {
        const config = readConfig();
        if (!hasMasterKey(config)) throw new Error(`There is no master key in ${config.dataDir}: set MASTER_KEY.`);
        const secrets = Object.entries(secretsOf(part, loadMasterKey(config)));
        print(secrets.map(([name, value]) => `${name}=${value}\n`).join(""));
      }),
    new Command("database-url")
      .description("print a database URL, for example for psql: that of the read-only login auditor, or of --role")
      .addOption(
        new Option("--role <role>", "the login; administrator is that of DATABASE_URL or of the embedded server")
          .choices([...loginRoles, administrator])
          .default("auditor"),
      )
      .action(async ({ role }: { role: LoginRole | typeof administrator }) => {
        const { adminUrl, key } = await runningDatabase();
        print(`${role === administrator ? adminUrl : urlAs(role, adminUrl, key)}\n`);
      }),
  ];
}

/** Imported here for the same reason. */
async function reportMetrics(part: string, config: Config) {
  const { startMetrics } = await import("../metrics/parent-channel.ts");
  return startMetrics(part, config.metrics);
}

/**
 * @param url where the part listens
 * @param ended resolves or rejects if the part ends unexpectedly, which is a failure either way
 */
async function untilStopRequest(
  stop: () => Promise<unknown>,
  { url, ended }: { url?: string; ended?: Promise<void> } = {},
): Promise<void> {
  reportReady(url);
  const unexpected = ended?.then(() => {
    throw new Error("It stopped unexpectedly.");
  });
  try {
    await Promise.race([stopRequest(), ...(unexpected ? [unexpected] : [])]);
  } finally {
    unexpected?.catch(() => {});
    await stop();
    if (process.connected) process.disconnect();
  }
}
