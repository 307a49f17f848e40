/**
 * A pool whose users can wait. What works in the background has nothing to answer within seconds: while the database is
 * away it asks again, and gives up only after many minutes, so that an outage costs a pause and neither a job nor the
 * process.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { isOutage } from "./outage.ts";

const longPatienceMs = 600_000;
const pauseMs = 250;

export type Patience = {
  /** For so long it asks again; ten minutes unless given. */
  patienceMs?: number;
  /** Aborts when nobody wants to wait any more: who asked to stop is not kept by a database that is away. */
  giveUp?: AbortSignal;
};

export function patientPool(config: PoolConfig, { patienceMs = longPatienceMs, giveUp }: Patience = {}): Pool {
  const pool = new Pool({ connectionTimeoutMillis: 5_000, ...config });
  // A connection that is lost is told by the query that meets it; an idle one is replaced by the next to ask.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    nameOutages(client);
  });
  const connectOnce = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const connect = async (): Promise<PoolClient> => {
    for (const until = Date.now() + patienceMs; ; await sleep(pauseMs)) {
      try {
        return await connectOnce();
      } catch (error) {
        if (pool.ending || giveUp?.aborted || Date.now() > until) throw error;
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

/**
 * graphile-worker (0.18.0) says again what fails with this code, "cannot connect now". Of every other loss of a
 * connection while it completes a job the process dies, and with it whatever else is being sent. What it was called before
 * is kept as `toldCode`.
 */
const passing = "57P03";

function nameOutages(client: PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => {
    const answer = query(...given);
    if (!(answer instanceof Promise)) return answer; // there is a callback, and an error is told to that
    return answer.catch((error: Error & { code?: string }) => {
      throw isOutage(error) ? Object.assign(error, { code: passing, toldCode: error.code }) : error;
    });
  }) as PoolClient["query"];
}
