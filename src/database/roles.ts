/**
 * The roles of the database and the settings of their sessions. Roles belong to the cluster, so a migration of one database
 * cannot create them. (ensure-roles.ts)
 */
export const loginRoles = ["owner", "server", "worker", "runner", "operator", "cli", "auditor"] as const;
export type LoginRole = (typeof loginRoles)[number];

export const purposes: Record<LoginRole | "tenant" | "authenticator" | "searcher" | "executor", string> = {
  owner: "migrations and definitions; not a superuser, subject to forced row-level security",
  server: "login of the API: owns nothing, may only execute api.handle, api.count_request and api.count_requests",
  tenant: "runs every API call: cannot log in, owns no table, is subject to every policy",
  authenticator: "looks up credentials: cannot log in, sees only live credentials and memberships of admins",
  searcher: "searches the text of memories: cannot log in, reads neither subjects nor values",
  worker: "jobs and deliveries, through jobs.* and the rows of the job queue; owns nothing",
  executor: "executors of runs, only through runner.*: cannot log in, every login of an executor is a member",
  runner: "the built-in executor; a member of executor",
  operator: "the operators' console, only through operator.*: creates no credential without a token of scope act",
  cli: "the operators' command line, only through operator.*: a member of operator, mints credentials, sets prices of models",
  auditor: "examines the database, only through audit.*; reads and writes no data",
};

/**
 * TCP keep-alive of the server: ends sessions of a dead client within 30 s instead of 2 h, and frees their locks and
 * leases.
 */
const endsWhenAlone = { tcp_keepalives_idle: "10", tcp_keepalives_interval: "5", tcp_keepalives_count: "4" };

/** No session of a login may fill the disk. Only a superuser can raise it. Statements of maintenance and audit sort more. */
const temporary = { temp_file_limit: "1GB" };
const temporaryOfWholeTables = { temp_file_limit: "10GB" };

/**
 * Settings that results depend on. Every login pins them, because a server, a database or an administrator may have
 * other defaults. A setting of a role outranks one of a database. (docs/decisions/0006-database-roles.md)
 */
export const pinned = {
  default_transaction_isolation: "read committed",
  row_security: "on",
  search_path: "pg_catalog",
  standard_conforming_strings: "on",
  transform_null_equals: "off",
  array_nulls: "on",
  quote_all_identifiers: "off",
  bytea_output: "hex",
  extra_float_digits: "1",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  lc_numeric: "C",
  lc_monetary: "C",
  lc_time: "C",
  default_text_search_config: "pg_catalog.simple",
};

/**
 * Settings of a role's sessions. A caller gets a response or a 503 within 5 s
 * (docs/specification/conventions.md#errors).
 */
export const roleSettings: Record<LoginRole, Record<string, string>> = {
  server: {
    ...pinned,
    plan_cache_mode: "force_generic_plan",
    // A generic plan neither knows that a page ends after 50 rows nor that a table has grown. Every query finds rows by
    // a key and lists them in its order, so plans that read a whole table first are ruled out. (docs/performance.md)
    enable_seqscan: "off",
    enable_bitmapscan: "off",
    enable_sort: "off",
    statement_timeout: "3000",
    lock_timeout: "2500",
    idle_in_transaction_session_timeout: "10000",
    jit: "off",
    ...endsWhenAlone,
    ...temporary,
  },
  worker: { ...pinned, jit: "off", statement_timeout: "60000", ...endsWhenAlone, ...temporaryOfWholeTables },
  // An executor finds its run by key. If it stops inside a transaction or waits for a lock, other runs must not wait
  // for it.
  runner: {
    ...pinned,
    jit: "off",
    statement_timeout: "10000",
    lock_timeout: "5000",
    idle_in_transaction_session_timeout: "10000",
    enable_seqscan: "off",
    ...endsWhenAlone,
    ...temporary,
  },
  // As for server, except bitmap scans: searching by id uses BRIN indexes.
  operator: {
    ...pinned,
    jit: "off",
    statement_timeout: "10000",
    enable_seqscan: "off",
    enable_sort: "off",
    ...temporary,
  },
  cli: {
    ...pinned,
    jit: "off",
    statement_timeout: "10000",
    idle_in_transaction_session_timeout: "10000",
    ...temporary,
  },
  // Some audit queries read whole tables.
  auditor: {
    ...pinned,
    jit: "off",
    statement_timeout: "300000",
    default_transaction_read_only: "on",
    ...temporaryOfWholeTables,
  },
  owner: { ...pinned },
};

/** The comment of an external executor's login names the database that minted it (executor-logins.ts). */
export const executorLogins = {
  prefix: "executor_",
  mark: "Botstead executor of database ",
  /** Earlier versions did not record the database. */
  marked: "^Botstead executor($| of database )",
  /** Sessions of one login. An executor needs one to listen, and one per run in progress. */
  maxConnections: 20,
};

/** The roles as JSON, for the definitions and the audit. */
export function describeRoles(): string {
  return JSON.stringify(
    Object.entries(purposes).map(([name, purpose]) => ({
      name,
      purpose,
      logs_in: loginRoles.includes(name as LoginRole),
      settings: roleSettings[name as LoginRole] ?? {},
      max_connections: name === "executor" ? executorLogins.maxConnections : undefined,
    })),
  );
}
