/** Series for each alert, as promtool writes them: a value each minute. */
export type Series = Record<string, string>;

export type AlertCase = {
  fires: Series;
  /** Each of another installation, at the limit or with another cause. */
  quiet: Series[];
  /** Minutes until the expression holds: a rate needs two values. */
  after?: number;
};

const always = (value: number | string) => `${value}x90`;
const perMinute = (increase: number) => `0+${increase}x90`;

/** One series, that fires or stays quiet by its value. */
const limit = (series: string, fires: number | string, quiet: number | string): AlertCase => ({
  fires: { [series]: always(fires) },
  quiet: [{ [series]: always(quiet) }],
});

const attempts = (outcome: string) => `botstead_delivery_attempts_total{outcome="${outcome}"}`;
const requests = (status: string) => `botstead_http_requests_total{status="${status}"}`;
const due = (hour: number, longer: number): Series => ({
  'botstead_deliveries_pending{due="an hour"}': always(hour),
  'botstead_deliveries_pending{due="longer"}': always(longer),
});
/** Requests: 60 within 0.5 s, so many within a second, and 120 within 2.5 s. */
const durations = (route: string, withinSecond: number): Series =>
  Object.fromEntries(
    Object.entries({ "0.5": 60, "1": withinSecond, "2.5": 120, "+Inf": 120 }).map(([le, count]) => [
      `botstead_http_request_duration_seconds_bucket{route="${route}", le="${le}"}`,
      perMinute(count),
    ]),
  );
const lag = (seconds: number, bytes: number): Series => ({
  'botstead_postgres_replication_lag_seconds{standby="a"}': always(seconds),
  'botstead_postgres_replication_lag_bytes{standby="a"}': always(bytes),
});
const share = (used: string, usedValue: number, of: string, ofValue: number): Series => ({
  [used]: always(usedValue),
  [of]: always(ofValue),
});

export const alertCases: Record<string, AlertCase> = {
  BotsteadNotScraped: {
    fires: { 'up{job="botstead-parts"}': always(0) },
    quiet: [{ 'up{job="botstead"}': always(1) }, { 'up{job="another"}': always(0) }],
  },
  BotsteadPartDown: limit('botstead_part_up{part="api"}', 0, 1),
  BotsteadEventLoopBlocked: limit('nodejs_eventloop_lag_p99_seconds{part="api"}', 0.6, 0.5),
  BotsteadDescriptorsRunOut: {
    fires: share('process_open_fds{part="api"}', 81, 'process_max_fds{part="api"}', 100),
    quiet: [share('process_open_fds{part="api"}', 80, 'process_max_fds{part="api"}', 100)],
  },
  BotsteadNotListening: limit("botstead_listening", 0, 1),
  BotsteadOtherDefinitions: {
    fires: {
      'botstead_definitions_current{instance="a"}': always(1),
      'botstead_definitions_current{instance="b"}': always(0),
    },
    quiet: [{ botstead_definitions_current: always(1) }],
  },
  BotsteadInstallationsMixed: {
    fires: { 'botstead_database_info{database="a"}': always(1), 'botstead_database_info{database="b"}': always(1) },
    quiet: [
      {
        'botstead_database_info{database="a", instance="a"}': always(1),
        'botstead_database_info{database="a", instance="b"}': always(1),
      },
    ],
  },
  BotsteadFailing: {
    after: 1,
    fires: { [requests("200")]: perMinute(900), [requests("503")]: perMinute(60) },
    quiet: [
      { [requests("200")]: perMinute(60_000), [requests("503")]: perMinute(60) },
      { [requests("200")]: perMinute(1), [requests("503")]: perMinute(1) },
    ],
  },
  BotsteadSlow: {
    after: 1,
    fires: durations("/api/v1/bots", 60),
    quiet: [
      durations("/api/v1/bots", 120),
      durations("/api/v1/bots/{id}/events", 60),
      durations("/api/v1/runs/{id}", 60),
    ],
  },
  BotsteadPoolExhausted: {
    fires: { 'botstead_pool_connections{pool="pooled", state="waiting"}': always(1) },
    quiet: [
      { 'botstead_pool_connections{pool="pooled", state="waiting"}': Array(45).fill("0 9").join(" ") },
      { 'botstead_pool_connections{pool="point", state="waiting"}': always(1) },
    ],
  },
  BotsteadDeliveriesLate: {
    fires: due(60, 41),
    quiet: [due(60, 40), { ...due(60, 41), [attempts("delivered")]: perMinute(1) }],
  },
  BotsteadDeliveriesFailing: {
    after: 1,
    fires: { [attempts("delivered")]: perMinute(240), [attempts("status")]: perMinute(300) },
    quiet: [
      { [attempts("delivered")]: perMinute(300), [attempts("status")]: perMinute(300) },
      { [attempts("delivered")]: perMinute(0), [attempts("status")]: perMinute(2) },
    ],
  },
  BotsteadWayOutBroken: {
    after: 1,
    fires: {
      [attempts("dns")]: perMinute(300),
      [attempts("transport")]: perMinute(300),
      [attempts("status")]: perMinute(100),
    },
    quiet: [
      {
        [attempts("dns")]: perMinute(200),
        [attempts("transport")]: perMinute(200),
        [attempts("status")]: perMinute(100),
      },
      { [attempts("dns")]: perMinute(2) },
    ],
  },
  BotsteadNoExecutor: limit('botstead_executors{state="alive"}', 0, 1),
  BotsteadRunsWait: limit("botstead_runs_oldest_queued_seconds", 301, 300),
  BotsteadJobsFailed: limit('botstead_jobs{task="mail", state="failed"}', 1, 0),
  BotsteadJobsWait: limit('botstead_jobs_oldest_seconds{task="mail", state="ready"}', 301, 300),
  BotsteadMailWaits: limit("botstead_mails_oldest_unsent_seconds", 901, 900),
  BotsteadRoutinesLate: limit("botstead_routines_late_seconds", 121, 120),
  BotsteadDatabaseDown: limit("botstead_database_up", 0, 1),
  BotsteadConnectionsRunOut: {
    fires: {
      ...share('botstead_postgres_connections{state="idle"}', 41, "botstead_postgres_max_connections", 100),
      'botstead_postgres_connections{state="active"}': always(40),
    },
    quiet: [
      {
        ...share('botstead_postgres_connections{state="idle"}', 40, "botstead_postgres_max_connections", 100),
        'botstead_postgres_connections{state="active"}': always(40),
      },
    ],
  },
  BotsteadSnapshotHeld: limit('botstead_postgres_snapshot_seconds{pid="7", role="ada", application="psql"}', 16, 15),
  BotsteadTransactionOld: limit("botstead_postgres_oldest_transaction_seconds", 3601, 3600),
  BotsteadTransactionIdsRunOut: limit("botstead_postgres_transaction_id_age", 1_000_000_001, 1_000_000_000),
  BotsteadPartitionsRunOut: limit("botstead_partitions_weeks_ahead", 1, 2),
  BotsteadDiskFull: {
    fires: share("botstead_data_directory_free_bytes", 9, "botstead_data_directory_size_bytes", 100),
    quiet: [share("botstead_data_directory_free_bytes", 10, "botstead_data_directory_size_bytes", 100)],
  },
  BotsteadWalGrows: {
    fires: share("botstead_postgres_wal_directory_bytes", 401, "botstead_postgres_max_wal_size_bytes", 100),
    quiet: [share("botstead_postgres_wal_directory_bytes", 400, "botstead_postgres_max_wal_size_bytes", 100)],
  },
  BotsteadWalNotArchived: limit("botstead_postgres_archive_failing", 1, 0),
  BotsteadSlotInactive: {
    fires: { 'botstead_postgres_replication_slots{state="lost"}': always(1) },
    quiet: [{ 'botstead_postgres_replication_slots{state="active"}': always(1) }],
  },
  BotsteadReplicaLags: { fires: lag(0, 67_108_865), quiet: [lag(60, 67_108_864)] },
  // The clock of promtool starts at 0.
  BotsteadBackupOld: limit("botstead_last_backup_timestamp_seconds", -93_601, -86_400),
  BotsteadAuditFindings: {
    fires: {
      'botstead_audit_findings{severity="critical"}': always(1),
      'botstead_audit_findings{severity="serious"}': always(1),
    },
    quiet: [{ 'botstead_audit_findings{severity="serious"}': always(0) }],
  },
  BotsteadAuditMissing: {
    fires: { botstead_database_up: always(1) },
    quiet: [
      { botstead_database_up: always(1), 'botstead_audit_findings{severity="serious"}': always(0) },
      { botstead_database_up: always(0) },
    ],
  },
  BotsteadCheckpointOld: limit("botstead_audit_checkpoint_age_seconds", 901, 900),
  BotsteadAuditLogFaults: limit("botstead_audit_checkpoint_faults", 1, 0),
  BotsteadCredentialExpires: limit('botstead_credential_expiry_seconds{kind="operator token"}', 1_209_599, 1_209_600),
};
