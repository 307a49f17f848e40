/**
 * What the database tells of the whole service, asked by the console for /metrics. (sql/operator/measures.sql) One
 * statement for all of it, at most every five seconds, however many scrape; while the database is away these metrics are
 * missing but for the one that says so.
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

/** @param connectionString of operator @param definitions the digest of this version's */
export function measureService(registry: Registry, connectionString: string, definitions: string): ServiceMetrics {
  // Of its own: what people ask of the console may wait for the database for long, and a scrape may not.
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
  function measures(): Promise<Measures | undefined> {
    if (!latest || performance.now() - at > goodForMs) {
      at = performance.now();
      latest = pool.query<{ found: Measures }>({ name: "measure", text: "select operator.measure() as found" }).then(
        ({ rows }) => rows[0]?.found,
        () => undefined,
      );
    }
    return latest;
  }

  function tell<Label extends string>(
    name: string,
    help: string,
    labels: Label[],
    read: (found: Measures) => Readings<Label>,
  ): void {
    watch(registry, name, help, labels, async () => {
      const found = await measures();
      return found ? read(found) : [];
    });
  }
  const one =
    (read: (found: Measures) => number) =>
    (found: Measures): Readings<never> => [[{}, read(found)]];
  const each =
    <Label extends string>(label: Label, read: (found: Measures) => Named) =>
    (found: Measures): Readings<Label> =>
      Object.entries(read(found)).map(([name, value]) => [{ [label]: name } as Record<Label, string>, value]);

  watch(registry, "botstead_database_up", "Whether the database answers.", [], async () => [
    [{}, (await measures()) ? 1 : 0],
  ]);
  tell(
    "botstead_database_size_bytes",
    "Size of the database on disk.",
    [],
    one(({ databaseBytes }) => databaseBytes),
  );
  tell(
    "botstead_database_connections",
    "Connections to the database, by the role that is logged in.",
    ["role"],
    each("role", ({ connections }) => connections),
  );
  tell(
    "botstead_definitions_current",
    "1 when the database was built from the definitions of this version.",
    [],
    one((found) => (found.definitions === definitions ? 1 : 0)),
  );
  tell("botstead_jobs", "Jobs in the queue, by task; as many as 200,000.", ["task", "state"], ({ jobs }) =>
    jobs.map(({ task, state, jobs: count }) => [{ task, state }, count]),
  );
  tell("botstead_jobs_oldest_seconds", "Since the oldest of these jobs came due.", ["task", "state"], ({ jobs }) =>
    jobs.map(({ task, state, oldest }) => [{ task, state }, oldest]),
  );
  tell(
    "botstead_deliveries_pending",
    "Deliveries that have not ended, by how long they have been due; as many as 200,000.",
    ["due"],
    each("due", ({ deliveries: { oldest: _, ...counts } }) => counts),
  );
  tell(
    "botstead_deliveries_oldest_due_seconds",
    "Since the delivery that has waited longest came due.",
    [],
    one(({ deliveries }) => deliveries.oldest),
  );
  tell(
    "botstead_runs",
    "Runs that have not ended; as many as 200,000 of a state.",
    ["state"],
    each("state", ({ runs }) => runs.states),
  );
  tell(
    "botstead_runs_oldest_queued_seconds",
    "Since the oldest run that an executor could take now was started.",
    [],
    one(({ runs }) => runs.oldest),
  );
  tell(
    "botstead_webhook_endpoints",
    "Endpoints, by state; troubled ones are active and have just failed.",
    ["state"],
    each("state", ({ endpoints }) => endpoints),
  );
  tell(
    "botstead_executors",
    "Executors that gave a sign of life within a minute, and others.",
    ["state"],
    each("state", ({ executors }) => executors),
  );
  tell(
    "botstead_mails_unsent",
    "Mails that have not been sent.",
    [],
    one(({ mails }) => mails.unsent),
  );
  tell(
    "botstead_mails_oldest_unsent_seconds",
    "Since the oldest of them was written.",
    [],
    one(({ mails }) => mails.oldest),
  );
  tell(
    "botstead_routines_late_seconds",
    "How late the routine is that should have fired first.",
    [],
    one(({ routineLate }) => routineLate),
  );
  tell(
    "botstead_partitions_weeks_ahead",
    "Weeks to come for which there are partitions.",
    [],
    one(({ weeksAhead }) => weeksAhead),
  );

  return { close: () => pool.end() };
}
