/**
 * Metrics of the whole service, which the console reads from the database (sql/operator/measures.sql): one statement, at most
 * every 5 seconds. While the database is unreachable, only botstead_database_up is reported.
 */
import { Pool } from "pg";
import { type Readings, type Registry, watch } from "./registry.ts";

type Named = Record<string, number>;

type Measures = {
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
  weeksAhead: number;
};

const goodForMs = 5_000;

export type ServiceMetrics = { close(): Promise<void> };

/** @param connectionString for the role operator @param definitions the digest of this version's SQL definitions */
export function measureService(registry: Registry, connectionString: string, definitions: string): ServiceMetrics {
  // A separate pool with short time-outs: the console's queries may wait long for the database, and a scrape must not.
  const pool = new Pool({
    connectionString,
    max: 1,
    application_name: "botstead console, metrics",
    connectionTimeoutMillis: 1_200,
    query_timeout: 6_000,
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  let latest: Promise<Measures | undefined> | undefined;
  let at = 0;
  function readMeasures(): Promise<Measures | undefined> {
    if (!latest || performance.now() - at > goodForMs) {
      at = performance.now();
      latest = pool
        .query<{ measures: Measures }>({ name: "measure", text: "select operator.measure() as measures" })
        .then(
          ({ rows }) => rows[0]?.measures,
          () => undefined,
        );
    }
    return latest;
  }

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
    "botstead_partitions_weeks_ahead",
    "Future weeks that have partitions.",
    [],
    one(({ weeksAhead }) => weeksAhead),
  );

  return { close: () => pool.end() };
}
