/**
 * Metrics of the whole service, which the console reads from the database (sql/operator/measures.sql): one statement, at most
 * every 5 seconds. While the database is unreachable, only botstead_database_up is reported.
 */
import { Pool, type PoolConfig } from "pg";
import { type AuditLogMeasures, auditLogGauges } from "./audit-log.ts";
import { type PostgresMeasures, type TableMeasures, watchPostgres } from "./postgres.ts";
import { readEvery, readInBackground } from "./readings.ts";
import { type Readings, type Registry, watch } from "./registry.ts";

type Named = Record<string, number>;

type Measures = {
  database: string;
  /** Seconds by kind; null if no credential of the kind expires. */
  credentials: Record<string, number | null>;
  definitions: string;
  databaseBytes: number;
  connections: Named;
  jobs: { task: string; state: string; jobs: number; oldest: number }[];
  deliveries: Named & { oldest: number };
  runs: { states: Named; oldest: number };
  endpoints: Named;
  executors: Named;
  mails: { unsent: number; oldest: number };
  routineLate: number;
  lastBackup: number | null;
  weeksAhead: number;
  auditLog: AuditLogMeasures;
};

/** How long measurements are used again: sizes of tables read the file system, and an audit takes a second. */
const goodForMs = { service: 5_000, tables: 60_000, audit: 3_600_000 };
const auditTimeoutMs = 60_000;

export type ServiceMetrics = { close(): Promise<void> };

/** @param connectionString for the role operator @param definitions the digest of this version's SQL definitions */
export function measureService(registry: Registry, connectionString: string, definitions: string): ServiceMetrics {
  // A separate pool with short time-outs: the console's queries may wait long for the database, and a scrape must not.
  const pool = openPool({ connectionString, query_timeout: 6_000 });
  const auditPool = openPool({ connectionString, statement_timeout: auditTimeoutMs });
  const readMeasures = readEvery<Measures>(pool, "operator.measure()", goodForMs.service);
  const readServer = readEvery<PostgresMeasures>(pool, "operator.measure_postgres()", goodForMs.service);
  const readTables = readEvery<TableMeasures>(pool, "operator.measure_tables()", goodForMs.tables);
  const readFindings = readInBackground<Named>(auditPool, "operator.count_audit_findings()", goodForMs.audit);

  function gauge<Label extends string>(
    name: string,
    help: string,
    labels: Label[],
    read: (measures: Measures) => Readings<Label>,
  ): void {
    watch(registry, name, help, labels, async () => {
      const measures = await readMeasures();
      return measures ? read(measures) : [];
    });
  }
  const one =
    (read: (measures: Measures) => number) =>
    (measures: Measures): Readings<never> => [[{}, read(measures)]];
  const each =
    <Label extends string>(label: Label, read: (measures: Measures) => Named) =>
    (measures: Measures): Readings<Label> =>
      Object.entries(read(measures)).map(([name, value]) => [{ [label]: name } as Record<Label, string>, value]);

  watch(registry, "botstead_database_up", "1 if the database answers.", [], async () => [
    [{}, (await readMeasures()) ? 1 : 0],
  ]);
  gauge(
    "botstead_database_size_bytes",
    "Size of the database on disk.",
    [],
    one(({ databaseBytes }) => databaseBytes),
  );
  gauge(
    "botstead_database_connections",
    "Connections to the database, by role.",
    ["role"],
    each("role", ({ connections }) => connections),
  );
  gauge(
    "botstead_definitions_current",
    "1 if the database has the SQL definitions of this version.",
    [],
    one((measures) => (measures.definitions === definitions ? 1 : 0)),
  );
  gauge("botstead_jobs", "Jobs in the queue, by task; counted up to 200,000.", ["task", "state"], ({ jobs }) =>
    jobs.map(({ task, state, jobs: count }) => [{ task, state }, count]),
  );
  gauge("botstead_jobs_oldest_seconds", "Age of the oldest due job.", ["task", "state"], ({ jobs }) =>
    jobs.map(({ task, state, oldest }) => [{ task, state }, oldest]),
  );
  gauge(
    "botstead_deliveries_pending",
    "Pending deliveries, by how long they have been due; counted up to 200,000.",
    ["due"],
    each("due", ({ deliveries: { oldest: _, ...counts } }) => counts),
  );
  gauge(
    "botstead_deliveries_oldest_due_seconds",
    "Time since the oldest pending delivery came due.",
    [],
    one(({ deliveries }) => deliveries.oldest),
  );
  gauge(
    "botstead_runs",
    "Runs that have not ended, by state; counted up to 200,000 per state.",
    ["state"],
    each("state", ({ runs }) => runs.states),
  );
  gauge(
    "botstead_runs_oldest_queued_seconds",
    "Age of the oldest run that an executor could lease now.",
    [],
    one(({ runs }) => runs.oldest),
  );
  gauge(
    "botstead_webhook_endpoints",
    "Webhook endpoints by state; `degraded` endpoints are active and their last attempt failed.",
    ["state"],
    each("state", ({ endpoints }) => endpoints),
  );
  gauge(
    "botstead_executors",
    "Executors with a heartbeat within the last minute, and others.",
    ["state"],
    each("state", ({ executors }) => executors),
  );
  gauge(
    "botstead_mails_unsent",
    "Unsent mails.",
    [],
    one(({ mails }) => mails.unsent),
  );
  gauge(
    "botstead_mails_oldest_unsent_seconds",
    "Age of the oldest unsent mail.",
    [],
    one(({ mails }) => mails.oldest),
  );
  gauge(
    "botstead_routines_late_seconds",
    "Delay of the most overdue routine.",
    [],
    one(({ routineLate }) => routineLate),
  );
  gauge(
    "botstead_last_backup_timestamp_seconds",
    "When the last backup ended; absent before the first.",
    [],
    (measures) => (measures.lastBackup === null ? [] : [[{}, measures.lastBackup]]),
  );
  for (const { name, help, read } of auditLogGauges) {
    gauge(
      name,
      help,
      [],
      one(({ auditLog }) => read(auditLog)),
    );
  }
  gauge(
    "botstead_partitions_weeks_ahead",
    "Future weeks that have partitions.",
    [],
    one(({ weeksAhead }) => weeksAhead),
  );

  gauge(
    "botstead_database_info",
    "Always 1, with the identity of the database: the same from every console.",
    ["database"],
    ({ database }) => [[{ database }, 1]],
  );
  gauge(
    "botstead_credential_expiry_seconds",
    "Time until the first credential of each kind expires; those made for less than 28 days do not count.",
    ["kind"],
    ({ credentials }) =>
      Object.entries(credentials).flatMap(([kind, seconds]) => (seconds === null ? [] : [[{ kind }, seconds]])),
  );
  watch(
    registry,
    "botstead_audit_findings",
    "Audit findings that are not accepted, by severity.",
    ["severity"],
    async () => Object.entries((await readFindings()) ?? {}).map(([severity, findings]) => [{ severity }, findings]),
  );
  watchPostgres(registry, readServer, readTables);

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
