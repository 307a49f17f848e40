/** Metrics of PostgreSQL, which the console reads (sql/operator/measures_postgres.sql). */
import type { Read } from "./readings.ts";
import { count, type Readings, type Registry, watch } from "./registry.ts";

type Named = Record<string, number>;

export type PostgresMeasures = {
  sessions: {
    /** Null if the roles of Botstead may not see other sessions. */
    states: Named | null;
    max: number;
    lockWaits: number;
    oldestTransaction: number | null;
    autovacuumWorkers: number;
  };
  wal: {
    written: number;
    directory: number | null;
    maxSize: number;
    archive: { failures: number; failing: boolean } | null;
  };
  replication: {
    slots: Named;
    retained: number;
    standbys: { name: string; bytes: number; seconds: number }[];
  };
  transactionIdAge: number;
  statistics: Record<"committed" | "rolledBack" | "cached" | "read" | "deadlocks" | "temporaryBytes", number>;
};

export type TableMeasures = {
  tables: { name: string; bytes: number; live: number; dead: number }[];
  vacuums: Named;
};

type Sample = [labels: Record<string, string>, value: number];
const one = (value: number | null | undefined): Sample[] =>
  value === null || value === undefined ? [] : [[{}, value]];
const each = (label: string, named: Named | null): Sample[] =>
  Object.entries(named ?? {}).map(([name, value]) => [{ [label]: name }, value]);

type Metric<Measures> = [
  name: string,
  help: string,
  label: string | undefined,
  samples: (measures: Measures) => Sample[],
];

const ofServer: Metric<PostgresMeasures>[] = [
  [
    "connections",
    "Client sessions of the server, by state.",
    "state",
    ({ sessions }) => each("state", sessions.states),
  ],
  ["max_connections", "The setting max_connections.", undefined, ({ sessions }) => one(sessions.max)],
  ["lock_waits", "Locks that a session waits for.", undefined, ({ sessions }) => one(sessions.lockWaits)],
  [
    "oldest_transaction_seconds",
    "Age of the oldest open transaction, prepared ones included.",
    undefined,
    ({ sessions }) => one(sessions.oldestTransaction),
  ],
  [
    "autovacuum_workers",
    "Autovacuum workers that run.",
    undefined,
    ({ sessions }) => (sessions.states ? one(sessions.autovacuumWorkers) : []),
  ],
  [
    "transaction_id_age",
    "Age of the oldest transaction id that is not frozen, in transactions.",
    undefined,
    ({ transactionIdAge }) => one(transactionIdAge),
  ],
  [
    "transactions_total",
    "Transactions of this database, by outcome.",
    "outcome",
    ({ statistics }) => each("outcome", { committed: statistics.committed, rolled_back: statistics.rolledBack }),
  ],
  [
    "blocks_total",
    "Blocks of this database that were found in shared buffers, or read from the operating system.",
    "source",
    ({ statistics }) => each("source", { cache: statistics.cached, read: statistics.read }),
  ],
  ["deadlocks_total", "Deadlocks in this database.", undefined, ({ statistics }) => one(statistics.deadlocks)],
  [
    "temporary_bytes_total",
    "Bytes that queries of this database wrote to temporary files.",
    undefined,
    ({ statistics }) => one(statistics.temporaryBytes),
  ],
  ["wal_bytes_total", "Bytes of WAL that were written.", undefined, ({ wal }) => one(wal.written)],
  ["wal_directory_bytes", "Size of the WAL directory.", undefined, ({ wal }) => one(wal.directory)],
  ["max_wal_size_bytes", "The setting max_wal_size.", undefined, ({ wal }) => one(wal.maxSize)],
  [
    "archive_failures_total",
    "Failed attempts to archive WAL; missing if archiving is off.",
    undefined,
    ({ wal }) => one(wal.archive?.failures),
  ],
  [
    "archive_failing",
    "1 if the last attempt to archive WAL failed; missing if archiving is off.",
    undefined,
    ({ wal }) => one(wal.archive && Number(wal.archive.failing)),
  ],
  [
    "replication_slots",
    "Replication slots: active, inactive, or lost because WAL that they need was removed.",
    "state",
    ({ replication }) => each("state", replication.slots),
  ],
  [
    "replication_slot_retained_bytes",
    "WAL that the slot furthest behind retains.",
    undefined,
    ({ replication }) => one(replication.retained),
  ],
  [
    "replication_lag_bytes",
    "WAL that a connected standby has not replayed, by its application_name.",
    "standby",
    ({ replication }) => replication.standbys.map(({ name, bytes }) => [{ standby: name }, bytes]),
  ],
  [
    "replication_lag_seconds",
    "Time until a connected standby replayed recent WAL; 0 if it is idle.",
    "standby",
    ({ replication }) => replication.standbys.map(({ name, seconds }) => [{ standby: name }, seconds]),
  ],
];

const ofTables: Metric<TableMeasures>[] = [
  [
    "table_bytes",
    "Size of the 20 largest tables with partitions, indexes and TOAST.",
    "table",
    ({ tables }) => tables.map(({ name, bytes }) => [{ table: name }, bytes]),
  ],
  [
    "table_live_rows",
    "Estimated live rows of these tables.",
    "table",
    ({ tables }) => tables.map(({ name, live }) => [{ table: name }, live]),
  ],
  [
    "table_dead_rows",
    "Estimated dead rows of these tables, which vacuum removes.",
    "table",
    ({ tables }) => tables.map(({ name, dead }) => [{ table: name }, dead]),
  ],
  [
    "autovacuums_total",
    "Runs of autovacuum in this database, by kind.",
    "kind",
    ({ vacuums }) => each("kind", vacuums),
  ],
];

export function watchPostgres(
  registry: Registry,
  readServer: Read<PostgresMeasures>,
  readTables: Read<TableMeasures>,
): void {
  watchAll(registry, ofServer, readServer);
  watchAll(registry, ofTables, readTables);
}

function watchAll<Measures>(registry: Registry, metrics: Metric<Measures>[], read: Read<Measures>): void {
  for (const [name, help, label, samples] of metrics) {
    const add = name.endsWith("_total") ? count : watch;
    add(registry, `botstead_postgres_${name}`, help, label ? [label] : [], async (): Promise<Readings<string>> => {
      const measures = await read();
      return measures ? samples(measures) : [];
    });
  }
}
