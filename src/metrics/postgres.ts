/** Metrics of PostgreSQL, which the console reads (sql/operator/measures_postgres.sql). */
import { each, type Metric, type Named, one } from "./metric.ts";

export type PostgresMeasures = {
  sessions: {
    /** Null if the roles of Botstead may not see other sessions. */
    states: Named | null;
    max: number;
    lockWaits: number;
    oldestTransaction: number | null;
    /** The session that keeps dead rows for the longest time; null if none does for 10 seconds. */
    snapshotHolder: { pid: number; role: string; application: string; seconds: number } | null;
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

export const serverMetrics: Metric<PostgresMeasures>[] = [
  [
    "botstead_postgres_connections",
    "Client sessions of the server, by state.",
    ["state"],
    ({ sessions }) => each("state", sessions.states),
  ],
  ["botstead_postgres_max_connections", "The setting max_connections.", [], ({ sessions }) => one(sessions.max)],
  ["botstead_postgres_lock_waits", "Locks that a session waits for.", [], ({ sessions }) => one(sessions.lockWaits)],
  [
    "botstead_postgres_oldest_transaction_seconds",
    "Age of the oldest open transaction, prepared ones included.",
    [],
    ({ sessions }) => one(sessions.oldestTransaction),
  ],
  [
    "botstead_postgres_snapshot_seconds",
    "How long the session with the oldest snapshot has kept dead rows; missing below 10 seconds.",
    ["pid", "role", "application"],
    ({ sessions: { snapshotHolder: holder } }) =>
      holder ? [[{ pid: String(holder.pid), role: holder.role, application: holder.application }, holder.seconds]] : [],
  ],
  [
    "botstead_postgres_autovacuum_workers",
    "Autovacuum workers that run.",
    [],
    ({ sessions }) => (sessions.states ? one(sessions.autovacuumWorkers) : []),
  ],
  [
    "botstead_postgres_transaction_id_age",
    "Age of the oldest transaction id that is not frozen, in transactions.",
    [],
    ({ transactionIdAge }) => one(transactionIdAge),
  ],
  [
    "botstead_postgres_transactions_total",
    "Transactions of this database, by outcome.",
    ["outcome"],
    ({ statistics }) => each("outcome", { committed: statistics.committed, rolled_back: statistics.rolledBack }),
  ],
  [
    "botstead_postgres_blocks_total",
    "Blocks of this database that were found in shared buffers, or read from the operating system.",
    ["source"],
    ({ statistics }) => each("source", { cache: statistics.cached, read: statistics.read }),
  ],
  [
    "botstead_postgres_deadlocks_total",
    "Deadlocks in this database.",
    [],
    ({ statistics }) => one(statistics.deadlocks),
  ],
  [
    "botstead_postgres_temporary_bytes_total",
    "Bytes that queries of this database wrote to temporary files.",
    [],
    ({ statistics }) => one(statistics.temporaryBytes),
  ],
  ["botstead_postgres_wal_bytes_total", "Bytes of WAL that were written.", [], ({ wal }) => one(wal.written)],
  ["botstead_postgres_wal_directory_bytes", "Size of the WAL directory.", [], ({ wal }) => one(wal.directory)],
  ["botstead_postgres_max_wal_size_bytes", "The setting max_wal_size.", [], ({ wal }) => one(wal.maxSize)],
  [
    "botstead_postgres_archive_failures_total",
    "Failed attempts to archive WAL; missing if archiving is off.",
    [],
    ({ wal }) => one(wal.archive?.failures),
  ],
  [
    "botstead_postgres_archive_failing",
    "1 if the last attempt to archive WAL failed; missing if archiving is off.",
    [],
    ({ wal }) => one(wal.archive && Number(wal.archive.failing)),
  ],
  [
    "botstead_postgres_replication_slots",
    "Replication slots: active, inactive, or lost because WAL that they need was removed.",
    ["state"],
    ({ replication }) => each("state", replication.slots),
  ],
  [
    "botstead_postgres_replication_slot_retained_bytes",
    "WAL that the slot furthest behind retains.",
    [],
    ({ replication }) => one(replication.retained),
  ],
  [
    "botstead_postgres_replication_lag_bytes",
    "WAL that a connected standby has not replayed, by its application_name.",
    ["standby"],
    ({ replication }) => replication.standbys.map(({ name, bytes }) => [{ standby: name }, bytes]),
  ],
  [
    "botstead_postgres_replication_lag_seconds",
    "Time until a connected standby replayed recent WAL; 0 if it is idle.",
    ["standby"],
    ({ replication }) => replication.standbys.map(({ name, seconds }) => [{ standby: name }, seconds]),
  ],
];

export const tableMetrics: Metric<TableMeasures>[] = [
  [
    "botstead_postgres_table_bytes",
    "Size of the 20 largest tables with partitions, indexes and TOAST.",
    ["table"],
    ({ tables }) => tables.map(({ name, bytes }) => [{ table: name }, bytes]),
  ],
  [
    "botstead_postgres_table_live_rows",
    "Estimated live rows of these tables.",
    ["table"],
    ({ tables }) => tables.map(({ name, live }) => [{ table: name }, live]),
  ],
  [
    "botstead_postgres_table_dead_rows",
    "Estimated dead rows of these tables, which vacuum removes.",
    ["table"],
    ({ tables }) => tables.map(({ name, dead }) => [{ table: name }, dead]),
  ],
  [
    "botstead_postgres_autovacuums_total",
    "Runs of autovacuum in this database, by kind.",
    ["kind"],
    ({ vacuums }) => each("kind", vacuums),
  ],
];
