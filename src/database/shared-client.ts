/**
 * One connection for all who ask at the same time. With `pipeline` each sends its statement without waiting for the answer
 * to the one before; each is a transaction of its own, so nobody may begin one that lasts longer.
 */
import type { Pool, PoolClient } from "pg";

/** Lends a connection for as long as `use` takes. */
export type WithClient = <T>(use: (db: PoolClient) => Promise<T>) => Promise<T>;

/** @param pool has no other user. A connection that was lost is replaced once all who shared it have been told. */
export function sharedClient(pool: Pool): WithClient {
  let lent: { client: Promise<PoolClient>; users: number } | undefined;

  return async (use) => {
    lent ??= { client: pool.connect(), users: 0 };
    const mine = lent;
    mine.users += 1;
    try {
      return await use(await mine.client);
    } finally {
      mine.users -= 1;
      if (mine.users === 0) {
        lent = undefined;
        mine.client.then(
          (client) => client.release(),
          () => {}, // there was none to give back, as who asked was told
        );
      }
    }
  };
}
