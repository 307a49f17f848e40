/**
 * One pipelined connection for concurrent callers. Each statement is its own transaction, and no caller may begin a
 * longer one.
 */
import type { Pool, PoolClient } from "pg";

/** Passes `use` a connection until its promise settles. */
export type WithClient = <T>(use: (db: PoolClient) => Promise<T>) => Promise<T>;

/** @param pool used by nothing else. After a loss, a new connection opens once all callers have their errors. */
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
          () => {}, // connecting failed, and every caller has the error
        );
      }
    }
  };
}
