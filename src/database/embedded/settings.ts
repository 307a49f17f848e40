/** Settings of the server, by PostgreSQL's own names. */
export type Settings = Record<string, string>;

/** What a caller may set otherwise. */
const defaults: Settings = {
  timezone: "UTC",
  max_connections: "100",
  shared_buffers: "128MB",
  jit: "off", // compiling costs more than our short queries take
  log_destination: "stderr", // which is postgres.log
  log_timezone: "UTC",
  log_line_prefix: "%m [%p] ",
  log_checkpoints: "off",
  // No statement, parameter or row may reach the log: they carry secrets. An error's own sentence can quote a value,
  // so errors go to the client that caused them and to no file; of the server's life and death everything is kept.
  // Terse leaves out the details, which name the key that was violated and the statement that a crash interrupted.
  log_min_messages: "log",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_min_error_statement: "panic",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
};

/** What nobody may: whom the server listens to, and that a committed row stays committed. */
const fixed: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  logging_collector: "off",
  fsync: "on",
  full_page_writes: "on",
};

/** The arguments for `postgres`. They outrank postgresql.conf and ALTER SYSTEM; of a name given twice the last counts. */
export function settingArguments(own: Settings, ours: Settings): string[] {
  return [defaults, own, fixed, ours].flatMap((settings) =>
    Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  );
}
