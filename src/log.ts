/**
 * The log: pino, one JSON line an entry; no secret, no address, no words of conversations.
 */
import { DatabaseError } from "pg";
import { type Logger, pino } from "pino";

export type Log = Logger;

/** Bytes that wait while they can't be written. */
const mostWaiting = 1_000_000;

/**
 * @param part which process speaks: api, worker, console
 * @param to a file descriptor, standard error by default; written at once, so that nothing is lost with the process
 */
export function makeLog(level: string, part: string, to = 2): Log {
  const destination = pino.destination({ dest: to, sync: true, maxLength: mostWaiting });
  // What a full disk does not take waits for the next entry, and beyond some it is dropped: no caller is to go without an
  // answer for want of a line about it.
  destination.on("error", () => {});
  return pino({ level, base: { part }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/**
 * What may be logged of an error: what kind it is and where it came from, and not what it says. The database's sentence can
 * quote what a caller sent, a mail server's an address, a parser's the text.
 */
export function faultOf(error: unknown): Record<string, unknown> {
  if (error instanceof DatabaseError) {
    const { code, where, schema, table, constraint } = error;
    return { code, where, schema, table, constraint };
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
