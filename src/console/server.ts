/**
 * The operators' console: GraphQL over schema `operator`, as role operator, on a port of its own, closed to everybody
 * without an operator's token.
 */
import type { Config } from "../config.ts";
import { definitionsDigest } from "../database/definitions.ts";
import { patientPool } from "../database/patient-pool.ts";
import { urlAs } from "../database/urls.ts";
import { listen, makeServer } from "../listening.ts";
import type { Log } from "../log.ts";
import { watchPools } from "../metrics/pools.ts";
import { makeRegistry, type Registry } from "../metrics/registry.ts";
import { measureService } from "../metrics/service.ts";
import type { Exposition } from "../metrics/siblings.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { makeAdmission } from "./admission.ts";
import { startGraphQl } from "./graphql.ts";
import { metricsRoute } from "./metrics.ts";
import { makeConsoleApp } from "./router.ts";
import { readAssets } from "./web/assets.ts";
import { consoleFiles, consolePage } from "./web/page.ts";

/** Operators, their scripts and a Prometheus, not the world. */
const mostConnections = 1_000;

export type RunningConsole = { stop(): Promise<void> };

export async function startConsole(
  config: Pick<Config, "host" | "consolePort" | "consoleBaseUrl" | "trustsProxy">,
  adminUrl: string,
  key: MasterKey,
  log: Log,
  registry: Registry = makeRegistry("console"),
  exposition: Exposition = () => registry.metrics(),
): Promise<RunningConsole> {
  const pool = patientPool(
    {
      connectionString: urlAs("operator", adminUrl, key),
      max: 4,
      application_name: "botstead console",
      query_timeout: 15_000, // above the 10 s after which its statements end
    },
    { patienceMs: 60_000 }, // a person waits for the answer
  );
  watchPools(registry, { console: pool });
  const service = measureService(registry, urlAs("operator", adminUrl, key), definitionsDigest());
  const admission = makeAdmission(pool, config.trustsProxy, config.consoleBaseUrl.startsWith("https:"));
  const server = makeServer(mostConnections);
  const graphql = await startGraphQl(pool, key, server, log);
  const assets = readAssets();
  const app = makeConsoleApp({
    pool,
    admission,
    baseUrl: config.consoleBaseUrl,
    log,
    open: [metricsRoute(admission, exposition), consoleFiles(assets)],
    inside: [consolePage(assets), graphql.routes],
  });
  server.on("request", app);
  const release = async () => {
    await graphql.release();
    await Promise.all([pool.end(), service.close()]);
  };
  await listen(server, config.consolePort, config.host).catch(async (error: Error) => {
    await release(); // or its connections would keep the process for seconds after it has said why it ends
    throw error;
  });
  return {
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await release();
    },
  };
}
