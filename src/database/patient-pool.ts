/**
 * A pool whose users can wait. What works in the background has nothing to answer within seconds: while the database is
 * away it asks again, for a minute, and only then gives up, so that a restart of the database costs a pause and no job.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, type PoolConfig } from "pg";

const patienceMs = 60_000;
const pauseMs = 250;

export function patientPool(config: PoolConfig): Pool {
  const pool = new Pool({ connectionTimeoutMillis: 5_000, ...config });
  // A connection that is lost is told by the query that meets it; an idle one is replaced by the next to ask.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const connectOnce = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const connect = async (): Promise<PoolClient> => {
    for (const until = Date.now() + patienceMs; ; await sleep(pauseMs)) {
      try {
        return await connectOnce();
      } catch (error) {
        if (pool.ending || Date.now() > until) throw error;
      }
    }
  };
  // Callback style goes through the same door, since pool.query uses it.
  pool.connect = ((callback?: (error?: Error, client?: PoolClient, done?: () => void) => void) => {
    if (!callback) return connect();
    connect().then(
      (client) => callback(undefined, client, () => client.release()),
      (error: Error) => callback(error, undefined, () => {}),
    );
  }) as Pool["connect"];
  return pool;
}
