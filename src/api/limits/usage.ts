/** Counts requests: per minute and organisation for the console, and per key and day for `GET /keys/{id}/usage`. (sql/service/requests.sql) */
import type { ApiPools } from "../../database/connections/api-pools.ts";
import type { Log } from "../../log.ts";
import { type Flushing, flushRegularly } from "../../web/flushing.ts";
import { callCounting } from "../own-calls.ts";
import type { Answer, Caller, Request } from "../request.ts";

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

type KeyDay = { organisationId: string; keyId: string; day: string; requests: number; refusals: number };

export type KeyDays = Flushing & {
  /** @param caller whose key is one of an organisation */
  note(caller: Caller, status: number): void;
};

const dayMs = 24 * 3_600_000;

/** @param maxRows keys and days that are counted while the database is unreachable; requests of further keys are not counted */
export function countKeyDays(pools: ApiPools, log: Log, now: () => number = Date.now, maxRows = 20_000): KeyDays {
  /** By day, then by key. */
  let days = new Map<number, Map<string, KeyDay>>();
  let rows = 0;

  function add(day: number, { keyId, organisationId }: Caller, requests: number, refusals: number): void {
    const keys = days.get(day) ?? new Map<string, KeyDay>();
    days.set(day, keys);
    const found = keys.get(keyId);
    if (found) {
      found.requests += requests;
      found.refusals += refusals;
    } else if (rows < maxRows && organisationId) {
      rows += 1;
      keys.set(keyId, { organisationId, keyId, day: new Date(day).toISOString().slice(0, 10), requests, refusals });
    }
  }

  const flushing = flushRegularly<KeyDay>(
    {
      what: "usage of keys",
      drain() {
        const drained = [...days.values()].flatMap((keys) => [...keys.values()]);
        days = new Map();
        rows = 0;
        return drained;
      },
      send: (sent) => callCounting(pools, "key_days", sent),
      putBack(unsent) {
        for (const row of unsent) add(Date.parse(row.day), row, row.requests, row.refusals);
      },
    },
    log,
  );
  return {
    ...flushing,
    note(caller, status) {
      const at = now();
      add(at - (at % dayMs), caller, 1, status >= 400 && status < 500 ? 1 : 0);
    },
  };
}

/** Counts a request for its organisation and for its key. A repeated request was counted already. */
export function countUsage(pools: ApiPools, log: Log) {
  const requestMinutes = countRequestMinutes(pools, log);
  const keyDays = countKeyDays(pools, log);
  return {
    note({ operation, portalSession, again }: Request, { caller, status }: Answer): void {
      if (again) return;
      requestMinutes.note(caller?.organisationId, status);
      if (caller && operation.keyClass === "organisation" && !portalSession) keyDays.note(caller, status);
    },
    stop: () => Promise.all([requestMinutes.stop(), keyDays.stop()]),
  };
}
