/** The operators' console: GraphQL over schema `operator` as role operator, on its own port, for operator tokens only. */
import { isOnLoopback } from "../config/network.ts";
import type { Config } from "../config.ts";
import { timeouts } from "../database/connections/timeouts.ts";
import { openWorkerPool } from "../database/connections/worker-pool.ts";
import { definitionsDigest } from "../database/definitions.ts";
import { urlAs } from "../database/urls.ts";
import { faultOf, type Log } from "../log.ts";
import { watchPools } from "../metrics/pools.ts";
import { makeRegistry, type Registry } from "../metrics/registry.ts";
import { measureService } from "../metrics/service.ts";
import type { Exposition } from "../metrics/siblings.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { frontFiles } from "../web/front/programs.ts";
import { closeServer, listen, makeServer } from "../web/listening.ts";
import { countRefusedCredentials } from "../web/refused-credentials.ts";
import { makeAuthentication } from "./authentication.ts";
import { cellRoutes } from "./cells.ts";
import { graphQl } from "./graphql.ts";
import { metricsRoute } from "./metrics.ts";
import { consolePage } from "./page.ts";
import { consolePreset } from "./preset.ts";
import { makeConsoleApp } from "./router.ts";
import { schemaOf } from "./schema/made.ts";

/** Enough for operators, scripts and Prometheus. */
const maxConnections = 1_000;

export type RunningConsole = { stop(): Promise<void> };

export async function startConsole(
  config: Pick<Config, "host" | "consolePort" | "baseUrl" | "consoleBaseUrl" | "trustsProxy" | "directory">,
  adminUrl: string,
  key: MasterKey,
  log: Log,
  registry: Registry = makeRegistry("console"),
  exposition: Exposition = () => registry.metrics(),
): Promise<RunningConsole> {
  const definitions = definitionsDigest(); // read once, because files may change during an upgrade
  const pool = openWorkerPool(
    {
      connectionString: urlAs("operator", adminUrl, key),
      max: 4,
      application_name: "botstead console",
      query_timeout: timeouts.console.statement,
    },
    {
      retryTimeoutMs: timeouts.console.reconnect,
      onRetry: (error) => log.warn({ error: faultOf(error) }, "connecting to the database failed, will retry"),
    },
  );
  watchPools(registry, () => [{ cell: "", pools: { console: pool } }]);
  const service = measureService(registry, urlAs("operator", adminUrl, key), definitions);
  const refused = countRefusedCredentials(async (counts) => {
    await pool.query("select operator.count_refused_credentials($1)", [JSON.stringify(counts)]);
  }, log);
  const site = {
    trustsProxy: config.trustsProxy,
    secure: config.consoleBaseUrl.startsWith("https:"),
    local: [config.baseUrl, config.consoleBaseUrl].every(isOnLoopback),
  };
  const authentication = makeAuthentication(pool, site, refused);
  const server = makeServer(maxConnections);
  const preset = consolePreset(pool, key, `${config.baseUrl}/portal`, definitions, log);
  const graphql = graphQl(preset, schemaOf(preset, pool, definitions), server, log);
  const app = makeConsoleApp({
    pool,
    authentication,
    baseUrl: config.consoleBaseUrl,
    log,
    open: [metricsRoute(authentication, exposition), frontFiles()],
    inside: [graphql.routes, consolePage(), cellRoutes(config, key, log)],
  });
  server.on("request", app);
  const release = async () => {
    await Promise.all([graphql.release(), refused.stop()]);
    await Promise.all([pool.end(), service.close()]);
  };
  await listen(server, config.consolePort, config.host).catch(async (error: Error) => {
    await release(); // open connections would delay the exit by seconds
    throw error;
  });
  return {
    async stop() {
      await closeServer(server);
      await release();
    },
  };
}
