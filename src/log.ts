/**
 * The log: pino, one JSON line an entry; no secret, no address, no words of conversations.
 */
import { type Logger, pino } from "pino";

export type Log = Logger;

/**
 * @param part which process speaks: api, worker, console
 * @param to a file descriptor, standard error by default; written at once, so that nothing is lost with the process
 */
export function makeLog(level: string, part: string, to = 2): Log {
  const destination = pino.destination({ dest: to, sync: true });
  return pino({ level, base: { part }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
