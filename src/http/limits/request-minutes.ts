/**
 * Counts requests per minute and organisation for the console. Counts are kept in memory, and sent to the database every 10
 * seconds and at the stop. After a failure they are sent again: if only the database's answer was lost, they count twice.
 * (sql/jobs/request_minutes.sql)
 */
import type { ApiPools } from "../../database/connections/api-pools.ts";
import { faultOf, type Log } from "../../log.ts";
import { callCounting } from "../handle.ts";

export type RequestMinute = {
  /** Null if unknown, such as for a refused credential. */
  organisationId: string | null;
  minute: string;
  answered: number;
  refused: number;
  limited: number;
  failed: number;
};

export type RequestMinutes = {
  note(organisationId: string | null | undefined, status: number): void;
  /** Sends the counts. Resolves also if that fails. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

const flushEveryMs = 10_000;
const minuteMs = 60_000;

/** @param maxRows rows kept while the database is unreachable; beyond them, further organisations count as unknown */
export function countRequestMinutes(
  pools: ApiPools,
  log: Log,
  now: () => number = Date.now,
  maxRows = 20_000,
): RequestMinutes {
  /** By minute, then by organisation, so that no request concatenates a key. */
  let minutes = new Map<number, Map<string | null, RequestMinute>>();
  let rows = 0;
  let flushing: Promise<void> | undefined;

  function row(of: string | null, minute: number): RequestMinute {
    const organisations = minutes.get(minute) ?? new Map<string | null, RequestMinute>();
    minutes.set(minute, organisations);
    const organisationId = rows >= maxRows && !organisations.has(of) ? null : of;
    const found = organisations.get(organisationId);
    if (found) return found;
    rows += 1;
    const made = {
      organisationId,
      minute: new Date(minute).toISOString(),
      answered: 0,
      refused: 0,
      limited: 0,
      failed: 0,
    };
    organisations.set(organisationId, made);
    return made;
  }

  async function send(): Promise<void> {
    const sent = [...minutes.values()].flatMap((organisations) => [...organisations.values()]);
    if (sent.length === 0) return;
    minutes = new Map();
    rows = 0;
    try {
      await callCounting(pools, sent);
    } catch (error) {
      for (const unsent of sent) {
        const counted = row(unsent.organisationId, Date.parse(unsent.minute));
        for (const part of ["answered", "refused", "limited", "failed"] as const) counted[part] += unsent[part];
      }
      log.warn({ error: faultOf(error) }, "storing request counts failed, will retry");
    }
  }

  async function flush(): Promise<void> {
    await flushing; // one statement at a time
    flushing = send();
    await flushing;
  }

  const timer = setInterval(() => void flush(), flushEveryMs).unref();
  return {
    note(organisationId, status) {
      const at = now();
      const counted = row(organisationId ?? null, at - (at % minuteMs));
      if (status < 400) counted.answered += 1;
      else if (status === 429) counted.limited += 1;
      else if (status < 500) counted.refused += 1;
      else counted.failed += 1;
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
