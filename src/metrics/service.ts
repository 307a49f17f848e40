/**
 * Metrics of the whole service, which the console reads from the database (sql/operator/measures.sql): one statement, at most
 * every 5 seconds. While the database is unreachable, only botstead_database_up is reported.
 */
import { Pool, type PoolConfig } from "pg";
import { each, type Named, watchAll } from "./metric.ts";
import { type PostgresMeasures, serverMetrics, type TableMeasures, tableMetrics } from "./postgres.ts";
import { readEvery, readInBackground } from "./readings.ts";
import { type Registry, watch } from "./registry.ts";
import { type Measures, stateMetrics } from "./state.ts";

/** How long measurements are used again: sizes of tables read the file system, and an audit takes a second. */
const goodForMs = { service: 5_000, tables: 60_000, audit: 3_600_000 };
const auditTimeoutMs = 60_000;

export type ServiceMetrics = { close(): Promise<void> };

/** @param connectionString for the role operator @param definitions the digest of this version's SQL definitions */
export function measureService(registry: Registry, connectionString: string, definitions: string): ServiceMetrics {
  // A separate pool with short time-outs: the console's queries may wait long for the database, and a scrape must not.
  const pool = openPool({ connectionString, query_timeout: 6_000 });
  const auditPool = openPool({ connectionString, statement_timeout: auditTimeoutMs });
  const readState = readEvery<Measures>(pool, "operator.measure()", goodForMs.service);
  const readServer = readEvery<PostgresMeasures>(pool, "operator.measure_postgres()", goodForMs.service);
  const readTables = readEvery<TableMeasures>(pool, "operator.measure_tables()", goodForMs.tables);
  const readFindings = readInBackground<Named>(auditPool, "operator.count_audit_findings()", goodForMs.audit);

  watch(registry, "botstead_database_up", "1 if the database answers.", [], async () => [
    [{}, (await readState()) ? 1 : 0],
  ]);
  watchAll(registry, stateMetrics(definitions), readState);
  watchAll(
    registry,
    [
      [
        "botstead_audit_findings",
        "Audit findings that are not accepted, by severity.",
        ["severity"],
        (findings) => each("severity", findings),
      ],
    ],
    readFindings,
  );
  watchAll(registry, serverMetrics, readServer);
  watchAll(registry, tableMetrics, readTables);

  return { close: async () => void (await Promise.all([pool.end(), auditPool.end()])) };
}

function openPool(settings: PoolConfig): Pool {
  const pool = new Pool({
    max: 1,
    application_name: "botstead console, metrics",
    connectionTimeoutMillis: 1_200,
    ...settings,
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
