/** Measurements that the console reads from the database. A measurement is shared by all scrapes while it is recent. */
import type { Pool } from "pg";

/** Resolves to undefined if the database does not answer. */
export type Read<T> = () => Promise<T | undefined>;

/** @param text a statement with one row and one column @param goodForMs how long a measurement is used again */
export function readEvery<T>(pool: Pool, text: string, goodForMs: number): Read<T> {
  let latest: Promise<T | undefined> | undefined;
  let at = 0;
  return () => {
    if (!latest || performance.now() - at > goodForMs) {
      at = performance.now();
      latest = query<T>(pool, text);
    }
    return latest;
  };
}

/** After a failure, how soon the statement is repeated. */
const retryMs = 60_000;

/**
 * For a slow statement: a scrape does not wait for it, and gets the last measurement. None is older than `goodForMs` and the
 * duration of the statement; after a failure there is none.
 */
export function readInBackground<T>(pool: Pool, text: string, goodForMs: number): Read<T> {
  let latest: T | undefined;
  let nextAt = 0;
  let isReading = false;
  return async () => {
    if (!isReading && performance.now() >= nextAt) {
      isReading = true;
      void query<T>(pool, text).then((measured) => {
        isReading = false;
        latest = measured;
        nextAt = performance.now() + (measured === undefined ? retryMs : goodForMs);
      });
    }
    return latest;
  };
}

function query<T>(pool: Pool, text: string): Promise<T | undefined> {
  return pool.query<{ measured: T }>(`select ${text} as measured`).then(
    ({ rows }) => rows[0]?.measured ?? undefined,
    () => undefined,
  );
}
