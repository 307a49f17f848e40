/** The log: pino, one JSON line per entry, without secrets, addresses or text of conversations. */
import { DatabaseError } from "pg";
import { type Logger, pino } from "pino";
import { refusedLogin } from "./database/logins.ts";
import { escapeJson } from "./terminal.ts";

export type Log = Logger;

/** Maximum of unwritten bytes. */
const maxUnwritten = 1_000_000;

/**
 * @param part the process: api, worker, console
 * @param to a file descriptor, standard error by default. Writes are synchronous, so that a crash loses none.
 */
export function makeLog(level: string, part: string, to = 2): Log {
  const destination = pino.destination({ dest: to, sync: true, maxLength: maxUnwritten });
  // On a full disk entries wait, and are dropped beyond the maximum: logging must not fail a request.
  destination.on("error", () => {});
  const safely = { write: (line: string) => destination.write(escapeJson(line)) }; // people read logs in terminals
  return pino({ level, base: { part }, timestamp: pino.stdTimeFunctions.isoTime }, safely);
}

/**
 * The loggable part of an error: its kind and origin, without its message. Messages of databases, mail servers and
 * parsers can quote input, addresses or text.
 */
export function faultOf(error: unknown): Record<string, unknown> {
  if (error instanceof DatabaseError) {
    const { code, where, schema, table, constraint } = error;
    return { code, where, schema, table, constraint, reason: refusedLogin(error) };
  }
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, code, responseCode } = error as Error & { code?: string; responseCode?: number };
  const at = error.stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
  return { name, code, responseCode, at };
}
