/**
 * The API's pools. Waiting point reads share a transaction, and so do waiting lists and waiting short
 * writes (docs/decisions/0012-database-connections.md). Other calls can take long or wait for locks, so each has a
 * connection to itself. Shared rate limits are counted on a connection of their own, where statements can wait for
 * statements of other processes. Measured in bench/notes/results.md.
 */
import { openPipelinedPool } from "./pipelined-pool.ts";
import type { PipelinedPool, PoolCounts, PoolSize, Resizable } from "./pool.ts";
import { openReplica, type Replica, replicaConnections } from "./replica.ts";
import { divide } from "./shares.ts";
import { apiTimeouts, usualResponseMs } from "./timeouts.ts";

export type PoolName = "point" | "lists" | "writes" | "pooled" | "counts";

export type ApiPools = Record<PoolName, PipelinedPool> & {
  /** Undefined if DATABASE_READ_URL is unset. */
  replica: Replica | undefined;
  /** For metrics, each pool once. */
  pools: Partial<Record<PoolName | "replica", PoolCounts>>;
  close(): Promise<void>;
};

/** resize divides the connections among the pools. Each has one at least. */
export type ResizableApiPools = ApiPools & Resizable;

/** Measured in bench/notes/experiments.md. */
const callsPerTransaction = 16;

const queryCancelled = "57014";
const lockNotAvailable = "55P03";

/** For connections to PostgreSQL itself. */
const directSizes = {
  // Two while calls share, so that PostgreSQL has the next transaction while Node reads the answers of one. Four before that,
  // so that few callers do not wait for each other.
  point: { connections: 4, callsPerTransaction, whileSharing: 2 },
  // Few, so that calls wait and share: each transaction has one commit and one round trip.
  writes: {
    ...{ connections: 4, callsPerTransaction, whileSharing: 2 },
    ...{ oneTransactionPerOwner: true, apartAfter: lockNotAvailable },
  },
  lists: { connections: 4, callsPerTransaction: 8, apartAfter: queryCancelled },
  // Ten keep two cores busy; more would only compete.
  pooled: { connections: 10, callsPerTransaction: 1 },
  // Opens with RATE_LIMITS=shared only.
  counts: { connections: 1, callsPerTransaction: 1 },
} satisfies Record<PoolName, PoolSize>;

/** For connections to a pooler. Lists and writes do not share transactions there, because it refuses the settings of a session. */
const poolerSizes = {
  ...directSizes,
  point: { connections: 10, callsPerTransaction },
} satisfies Record<PoolName, PoolSize>;

/**
 * The most connections of an API process to PostgreSQL or to a pooler, without the listening connection.
 *
 * @param sharedLimits whether RATE_LIMITS is shared
 */
export function maxApiConnections({ pooled, sharedLimits }: { pooled: boolean; sharedLimits: boolean }): number {
  const { point, lists, writes, pooled: alone, counts } = pooled ? poolerSizes : directSizes;
  const used = [point, alone, ...(pooled ? [] : [lists, writes]), ...(sharedLimits ? [counts] : [])];
  return used.reduce((sum, { connections }) => sum + connections, 0);
}

/**
 * @param pooled whether the address leads to a pooler in transaction mode. Statements are unnamed then, because each
 *   can run in another session.
 * @param readUrl of a streaming replica
 * @param responseMs after this time a caller gets a 503. A pooler refuses the settings of a session: there the time-outs
 *   of the role apply too
 */
export function openApiPools(
  connectionString: string,
  {
    pooled = false,
    readUrl,
    responseMs = usualResponseMs,
  }: { pooled?: boolean; readUrl?: string | undefined; responseMs?: number } = {},
): ResizableApiPools {
  const timeouts = apiTimeouts(responseMs);
  const { session } = timeouts;
  const settings = {
    connectionString,
    application_name: "botstead api",
    connectionTimeoutMillis: timeouts.connect,
    query_timeout: timeouts.statement,
  };
  const withSettings = (values: Record<string, number> = {}) => {
    const all = Object.entries({
      ...(session && { statement_timeout: session.statement, lock_timeout: session.lock }),
      ...values,
    });
    if (pooled || all.length === 0) return settings;
    return { ...settings, options: all.map(([name, ms]) => `-c ${name}=${ms}`).join(" ") };
  };
  const sizes = pooled ? poolerSizes : directSizes;
  const open = (config: typeof settings, size: PoolSize, fallback?: PipelinedPool) =>
    openPipelinedPool(config, { ...size, namesStatements: !pooled }, fallback);
  // A list that takes long, and a write that meets a lock, must not delay the other calls of their transaction: they get
  // one to themselves. A transaction of writes ends before the deadline of each of its callers, so that a 503 means that
  // the call had no effect.
  const ofLists = withSettings({ statement_timeout: timeouts.sharedList });
  const ofWrites = withSettings({ lock_timeout: timeouts.sharedLock, transaction_timeout: timeouts.sharedTransaction });
  const alone = open(withSettings(), sizes.pooled);
  const pools = {
    point: open(withSettings(), sizes.point, alone),
    lists: pooled ? alone : open(ofLists, sizes.lists, alone),
    writes: pooled ? alone : open(ofWrites, sizes.writes, alone),
    pooled: alone,
    counts: open(withSettings(), sizes.counts),
  };
  const replica = readUrl
    ? openReplica(
        { ...withSettings(), connectionString: readUrl },
        { namesStatements: !pooled, timeouts: timeouts.replica, queryPrimary: (it) => pools.point.query(it, []) },
      )
    : undefined;
  /** Without the second name of a pool. */
  const names = (Object.keys(pools) as PoolName[]).filter((name) => name === "pooled" || pools[name] !== alone);
  const each: { pool: Resizable & { close(): Promise<void> }; full: number }[] = names.map((name) => ({
    pool: pools[name],
    full: sizes[name].connections,
  }));
  if (replica) each.push({ pool: replica, full: replicaConnections });
  return {
    ...pools,
    pools: {
      pooled: pools.pooled.counts,
      point: pools.point.counts,
      ...(pooled ? {} : { lists: pools.lists.counts, writes: pools.writes.counts }),
      counts: pools.counts.counts,
      ...(replica ? { replica: replica.counts } : {}),
    },
    replica,
    async resize(connections) {
      const shares = divide(
        each.map(({ full }) => full),
        connections,
      );
      await Promise.all(each.map(({ pool }, place) => pool.resize(shares[place] ?? 1)));
    },
    closeUnused() {
      for (const { pool } of each) pool.closeUnused();
    },
    async close() {
      await Promise.all(each.map(({ pool }) => pool.close()));
    },
  };
}
