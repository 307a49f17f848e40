/** Metrics of the state of the service, which the console reads (sql/operator/measures.sql). */
import { each, type Metric, type Named, one } from "./metric.ts";

export type Measures = {
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
  auditStreams: Named;
  executors: Named;
  mails: { unsent: number; oldest: number };
  routineLate: number;
  lastBackup: number | null;
  weeksAhead: number;
  auditLog: { checkpointAge: number; faults: number; treeSize: number };
};

/** @param definitions the digest of this version's SQL definitions */
export const stateMetrics = (definitions: string): Metric<Measures>[] => [
  ["botstead_database_size_bytes", "Size of the database on disk.", [], ({ databaseBytes }) => one(databaseBytes)],
  [
    "botstead_database_connections",
    "Connections to the database, by role.",
    ["role"],
    ({ connections }) => each("role", connections),
  ],
  [
    "botstead_definitions_current",
    "1 if the database has the SQL definitions of this version.",
    [],
    (measures) => one(Number(measures.definitions === definitions)),
  ],
  [
    "botstead_jobs",
    "Jobs in the queue, by task; counted up to 200,000.",
    ["task", "state"],
    ({ jobs }) => jobs.map(({ task, state, jobs: count }) => [{ task, state }, count]),
  ],
  [
    "botstead_jobs_oldest_seconds",
    "Age of the oldest due job.",
    ["task", "state"],
    ({ jobs }) => jobs.map(({ task, state, oldest }) => [{ task, state }, oldest]),
  ],
  [
    "botstead_deliveries_pending",
    "Pending deliveries, by how long they have been due; counted up to 200,000.",
    ["due"],
    ({ deliveries: { oldest: _, ...counts } }) => each("due", counts),
  ],
  [
    "botstead_deliveries_oldest_due_seconds",
    "Time since the oldest pending delivery came due.",
    [],
    ({ deliveries }) => one(deliveries.oldest),
  ],
  [
    "botstead_runs",
    "Runs that have not ended, by state; counted up to 200,000 per state.",
    ["state"],
    ({ runs }) => each("state", runs.states),
  ],
  [
    "botstead_runs_oldest_queued_seconds",
    "Age of the oldest run that an executor could lease now.",
    [],
    ({ runs }) => one(runs.oldest),
  ],
  [
    "botstead_webhook_endpoints",
    "Webhook endpoints by state; `degraded` endpoints are active and their last attempt failed.",
    ["state"],
    ({ endpoints }) => each("state", endpoints),
  ],
  [
    "botstead_audit_streams",
    "Streams of the audit log by state; `degraded` streams are active and their last attempt failed.",
    ["state"],
    ({ auditStreams }) => each("state", auditStreams),
  ],
  [
    "botstead_executors",
    "Executors with a heartbeat within the last minute, and others.",
    ["state"],
    ({ executors }) => each("state", executors),
  ],
  ["botstead_mails_unsent", "Unsent mails.", [], ({ mails }) => one(mails.unsent)],
  ["botstead_mails_oldest_unsent_seconds", "Age of the oldest unsent mail.", [], ({ mails }) => one(mails.oldest)],
  ["botstead_routines_late_seconds", "Delay of the most overdue routine.", [], ({ routineLate }) => one(routineLate)],
  [
    "botstead_last_backup_timestamp_seconds",
    "When the last backup ended; absent before the first.",
    [],
    ({ lastBackup }) => one(lastBackup),
  ],
  [
    "botstead_audit_checkpoint_age_seconds",
    "Time since every entry of the audit log was last in a checkpoint and the checkpoint job found no fault.",
    [],
    ({ auditLog }) => one(auditLog.checkpointAge),
  ],
  [
    "botstead_audit_checkpoint_faults",
    "Faults in the audit log that no operator has accepted; no checkpoint is signed while there is one.",
    [],
    ({ auditLog }) => one(auditLog.faults),
  ],
  [
    "botstead_audit_tree_size",
    "Entries in the tree of the newest checkpoint.",
    [],
    ({ auditLog }) => one(auditLog.treeSize),
  ],
  ["botstead_partitions_weeks_ahead", "Future weeks that have partitions.", [], ({ weeksAhead }) => one(weeksAhead)],
  [
    "botstead_database_info",
    "Always 1, with the identity of the database: the same from every console.",
    ["database"],
    ({ database }) => [[{ database }, 1]],
  ],
  [
    "botstead_credential_expiry_seconds",
    "Time until the first credential of each kind expires; those made for less than 28 days do not count.",
    ["kind"],
    ({ credentials }) => each("kind", credentials),
  ],
];
