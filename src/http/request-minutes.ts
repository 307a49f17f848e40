/**
 * Requests by the minute and organisation, for the console's plots: counted in memory, handed to the database every few
 * seconds and when the process stops. No request waits for it. What could not be handed over is kept and goes with the
 * next; when an answer of the database is lost on its way, its counts are counted twice. (sql/jobs/request_minutes.sql)
 */
import type { Lanes } from "../database/lanes.ts";
import { faultOf, type Log } from "../log.ts";
import { callCounting } from "./handle.ts";

export type RequestMinute = {
  /** Null when it belongs to none, as a refused credential. */
  organisationId: string | null;
  minute: string;
  answered: number;
  refused: number;
  limited: number;
  failed: number;
};

export type RequestMinutes = {
  note(organisationId: string | null | undefined, status: number): void;
  /** Resolves when all that was counted until now was handed over, or could not be. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

const flushEveryMs = 10_000;
const minuteMs = 60_000;

/** @param most rows kept while the database is away; beyond it, organisations without one are counted as none */
export function countRequestMinutes(
  lanes: Lanes,
  log: Log,
  now: () => number = Date.now,
  most = 20_000,
): RequestMinutes {
  /** By minute, then by organisation: a request does not build a key. */
  let minutes = new Map<number, Map<string | null, RequestMinute>>();
  let rows = 0;
  let flushing: Promise<void> | undefined;

  function row(of: string | null, minute: number): RequestMinute {
    const organisations = minutes.get(minute) ?? new Map<string | null, RequestMinute>();
    minutes.set(minute, organisations);
    const organisationId = rows >= most && !organisations.has(of) ? null : of;
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

  async function handOver(): Promise<void> {
    const sent = [...minutes.values()].flatMap((organisations) => [...organisations.values()]);
    if (sent.length === 0) return;
    minutes = new Map();
    rows = 0;
    try {
      await callCounting(lanes, sent);
    } catch (error) {
      for (const kept of sent) {
        const counted = row(kept.organisationId, Date.parse(kept.minute));
        for (const part of ["answered", "refused", "limited", "failed"] as const) counted[part] += kept[part];
      }
      log.warn({ error: faultOf(error) }, "requests were counted and not handed over; they go with the next");
    }
  }

  async function flush(): Promise<void> {
    await flushing; // what is under way was counted before
    flushing = handOver();
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
