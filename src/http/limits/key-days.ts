/** Counts requests per key and day for `GET /keys/{id}/usage`. (sql/service/requests.sql) */
import type { ApiPools } from "../../database/connections/api-pools.ts";
import type { Log } from "../../log.ts";
import { type Flushing, flushRegularly } from "../../web/flushing.ts";
import type { Caller } from "../answer/answer.ts";
import { callCounting } from "../handle.ts";

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
