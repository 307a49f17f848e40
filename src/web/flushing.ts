/**
 * Stores counts that a process keeps in memory: every 10 seconds and at the stop. After a failure they are sent again: if only
 * the database's answer was lost, they count twice. A process that is killed loses the counts of up to 10 seconds.
 */
import { faultOf, type Log } from "../log.ts";

export type Flushing = {
  /** Sends the counts. Resolves also if that fails. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

const flushEveryMs = 10_000;

/** @param counts `drain` returns the counts and forgets them; `putBack` adds them again. */
export function flushRegularly<Row extends object>(
  counts: { what: string; drain(): Row[]; send(rows: Row[]): Promise<void>; putBack(rows: Row[]): void },
  log: Log,
): Flushing {
  let flushing: Promise<void> | undefined;

  async function send(): Promise<void> {
    const rows = counts.drain();
    if (rows.length === 0) return;
    try {
      await counts.send(rows);
    } catch (error) {
      counts.putBack(rows);
      log.warn({ error: faultOf(error) }, `storing ${counts.what} failed, will retry`);
    }
  }

  async function flush(): Promise<void> {
    await flushing; // one statement at a time
    flushing = send();
    await flushing;
  }

  const timer = setInterval(() => void flush(), flushEveryMs).unref();
  return {
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
