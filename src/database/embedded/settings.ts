/** Settings of the server, by PostgreSQL's own names. */
export type Settings = Record<string, string>;

/** Callers may override these. */
const defaults: Settings = {
  timezone: "UTC",
  max_connections: "100",
  shared_buffers: "128MB",
  jit: "off", // compiling costs more than our short queries take
  log_destination: "stderr", // which is postgres.log
  log_timezone: "UTC",
  log_line_prefix: "%m [%p] ",
  log_checkpoints: "off",
  // Statements, parameters and rows can be secrets, and must not reach the log. Terse omits details, which quote keys and the
  // interrupted statement of a crash. Background processes log warnings, such as why WAL is not archived; for sessions see
  // limitSessionLogs.
  log_min_messages: "warning",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_min_error_statement: "panic",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
};

/** Addresses and durability, which callers of `startEmbedded` may not override. */
export const fixed: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  logging_collector: "off",
  fsync: "on",
  full_page_writes: "on",
};

/** The arguments of `postgres`. They override postgresql.conf and ALTER SYSTEM; of duplicates the last wins. */
export function settingArguments(own: Settings, ours: Settings): string[] {
  return [defaults, own, ours].flatMap((settings) =>
    Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  );
}
