/**
 * A pool whose users can wait. What works in the background has nothing to answer within seconds: while the database is
 * away it asks again, and gives up only after many minutes, so that an outage costs a pause and neither a job nor the
 * process.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { isOutage } from "./outage.ts";
import { RetractableClient } from "./retractable-client.ts";

const longPatienceMs = 600_000;
const pauseMs = 250;
/** What a statement has, once nobody wants to wait any more. */
const hurriedMs = 5_000;

export type Patience = {
  /** For so long it asks again; ten minutes unless given. */
  patienceMs?: number;
  /** Aborts when nobody wants to wait any more: who asked to stop is not kept by a database that is away. */
  giveUp?: AbortSignal;
};

/**
 * @param config.query_timeout above the time within which the database itself gives a statement up: what is not answered by
 * then went to nobody
 */
export function patientPool(
  config: PoolConfig & { query_timeout: number },
  { patienceMs = longPatienceMs, giveUp }: Patience = {},
): Pool {
  const pool = new Pool({ connectionTimeoutMillis: 5_000, ...config, Client: RetractableClient });
  // A connection that is lost is told by the query that meets it; an idle one is replaced by the next to ask.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    const own = client as PoolClient & RetractableClient;
    watchQueries(own, giveUp);
    // Also what is under way then: it is answered before this, or not at all.
    const hurry = () => own.query("select 1").catch(() => own.giveUp());
    giveUp?.addEventListener("abort", hurry);
    client.once("end", () => giveUp?.removeEventListener("abort", hurry));
  });
  const connectOnce = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const connect = async (): Promise<PoolClient> => {
    // Nobody is left who could be told, and of an error that nobody takes the process would die: graphile-worker (0.18.0), though
    // it has stopped, says again later what an outage kept it from saying.
    if (pool.ending && giveUp?.aborted) return new Promise(() => {});
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

function watchQueries(client: PoolClient & RetractableClient, giveUp: AbortSignal | undefined): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => {
    const impatience = giveUp?.aborted ? setTimeout(() => client.giveUp(), hurriedMs) : undefined;
    const told = given.at(-1);
    if (typeof told === "function") {
      return query(...given.slice(0, -1), (error: Error | null, result: unknown) => {
        clearTimeout(impatience);
        if (error) dropIfSilent(client, error);
        told(error, result);
      });
    }
    const answer = query(...given);
    if (!(answer instanceof Promise)) return answer;
    return answer
      .catch((error: Error & { code?: string }) => {
        dropIfSilent(client, error);
        throw isOutage(error) ? Object.assign(error, { code: passing, toldCode: error.code }) : error;
      })
      .finally(() => clearTimeout(impatience));
  }) as PoolClient["query"];
}

/** pg gives the statement up and keeps the connection, on which whoever comes next would wait behind it. */
function dropIfSilent(client: RetractableClient, { message }: Error): void {
  if (message === "Query read timeout") client.giveUp();
}
