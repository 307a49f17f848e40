/**
 * A pool for background work, which can wait. While the database is unreachable it retries for 10 minutes, so that an
 * outage delays jobs but fails none.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { isOutage } from "../outage.ts";
import { AbortableClient } from "./client.ts";
import { timeouts } from "./timeouts.ts";

const pauseMs = 250;
const reportIntervalMs = 60_000;

export type RetryOptions = {
  /** How long to retry connecting. Defaults to 10 minutes. */
  retryTimeoutMs?: number;
  /** Called when connecting fails, and then once a minute until it succeeds. */
  onRetry?: (error: unknown) => void;
  /** Aborts when the process stops: it does not wait for an unreachable database then. */
  stopping?: AbortSignal;
};

/** @param config.query_timeout longer than the role's statement_timeout: the server has ended the statement by then */
export function openWorkerPool(
  config: PoolConfig & { query_timeout: number },
  { retryTimeoutMs = timeouts.worker.reconnect, stopping, onRetry = () => {} }: RetryOptions = {},
): Pool {
  const pool = new Pool({ connectionTimeoutMillis: timeouts.worker.connect, ...config, Client: AbortableClient });
  // The query in progress reports a lost connection; the pool replaces an idle one.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    const own = client as PoolClient & AbortableClient;
    watchQueries(own, stopping);
    // On stop, also limits statements already sent: the server answers them before this one, or not at all.
    const limit = () => own.query("select 1").catch(() => own.abort());
    stopping?.addEventListener("abort", limit);
    client.once("end", () => stopping?.removeEventListener("abort", limit));
  });
  let reportedAt = Number.NEGATIVE_INFINITY;
  const connectOnce = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const connect = async (): Promise<PoolClient> => {
    // graphile-worker (0.18.0) retries after it has stopped. An error would reach no handler and end the process, so
    // never settle.
    if (pool.ending && stopping?.aborted) return new Promise(() => {});
    for (const until = Date.now() + retryTimeoutMs; ; await sleep(pauseMs)) {
      try {
        return await connectOnce();
      } catch (error) {
        if (pool.ending || stopping?.aborted || Date.now() > until) throw error;
        if (performance.now() - reportedAt > reportIntervalMs) {
          reportedAt = performance.now();
          onRetry(error);
        }
      }
    }
  };
  // pool.query uses the callback form.
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
 * graphile-worker (0.18.0) retries statements that fail with 57P03, "cannot connect now". Any other connection error
 * while it completes a job would end the process and interrupt the deliveries in progress. The original code is kept as
 * `originalCode`.
 */
const retriedCode = "57P03";

function watchQueries(client: PoolClient & AbortableClient, stopping: AbortSignal | undefined): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const timer = stopping?.aborted ? setTimeout(() => client.abort(), timeouts.worker.statementOnStop) : undefined;
    const callback = args.at(-1);
    if (typeof callback === "function") {
      return query(...args.slice(0, -1), (error: Error | null, result: unknown) => {
        clearTimeout(timer);
        if (error) dropAfterTimeout(client, error);
        callback(error, result);
      });
    }
    const answer = query(...args);
    if (!(answer instanceof Promise)) return answer;
    return answer
      .catch((error: Error & { code?: string }) => {
        dropAfterTimeout(client, error);
        throw isOutage(error) ? Object.assign(error, { code: retriedCode, originalCode: error.code }) : error;
      })
      .finally(() => clearTimeout(timer));
  }) as PoolClient["query"];
}

/** After a time-out pg keeps the connection, on which the next statement would wait behind this one. */
function dropAfterTimeout(client: AbortableClient, { message }: Error): void {
  if (message === "Query read timeout") client.abort();
}

/** Passes `use` a connection until its promise settles. */
export type WithClient = <T>(use: (db: PoolClient) => Promise<T>) => Promise<T>;

/**
 * One pipelined connection for concurrent callers. Each statement is its own transaction, and no caller may begin a longer one.
 *
 * @param pool used by nothing else. After a loss, a new connection opens once all callers have their errors.
 */
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
