/** Counts requests per minute and organisation for the console. (sql/jobs/request_minutes.sql) */
import type { ApiPools } from "../../database/connections/api-pools.ts";
import type { Log } from "../../log.ts";
import { type Flushing, flushRegularly } from "../../web/flushing.ts";
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

export type RequestMinutes = Flushing & {
  note(organisationId: string | null | undefined, status: number): void;
};

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

  const flushing = flushRegularly<RequestMinute>(
    {
      what: "request counts",
      drain() {
        const drained = [...minutes.values()].flatMap((organisations) => [...organisations.values()]);
        minutes = new Map();
        rows = 0;
        return drained;
      },
      send: (sent) => callCounting(pools, "request_minutes", sent),
      putBack(unsent) {
        for (const each of unsent) {
          const counted = row(each.organisationId, Date.parse(each.minute));
          for (const part of ["answered", "refused", "limited", "failed"] as const) counted[part] += each[part];
        }
      },
    },
    log,
  );
  return {
    ...flushing,
    note(organisationId, status) {
      const at = now();
      const counted = row(organisationId ?? null, at - (at % minuteMs));
      if (status < 400) counted.answered += 1;
      else if (status === 429) counted.limited += 1;
      else if (status < 500) counted.refused += 1;
      else counted.failed += 1;
    },
  };
}
