/**
 * The API's ways to the database. Point reads share one connection, on which each query is its own transaction and
 * none waits for the answer to the one before. Lists and writes, which take longer or wait for disk and locks, have a
 * connection each, so that nobody stands behind them. (docs/performance.md shows what this buys.)
 */
import type { ClientConfig } from "pg";
import { type LaneCounts, openLane, type Values } from "./lane.ts";
import type { TextStatement } from "./text-query.ts";

export type LaneName = "point" | "pooled";

export type Lanes = {
  /** The text that the statement answers. @throws Error of pg, or of the connection. */
  ask(lane: LaneName, statement: TextStatement, values: Values): Promise<string>;
  pools: Record<LaneName, LaneCounts>;
  close(): Promise<void>;
};

/** Together below the five seconds within which a caller gets an answer or a 503; the role's own time-out lies between. */
const timeouts = { connectionTimeoutMillis: 1_200, query_timeout: 3_200 } satisfies ClientConfig;

export function openLanes(connectionString: string): Lanes {
  const settings = { connectionString, application_name: "botstead api", keepAlive: true, ...timeouts };
  const lanes = {
    point: openLane(settings, { connections: 1, each: Number.POSITIVE_INFINITY }),
    // Two cores are kept busy by ten, and the eleventh waits its turn.
    pooled: openLane(settings, { connections: 10, each: 1 }),
  };
  return {
    pools: { pooled: lanes.pooled.counts, point: lanes.point.counts },
    ask: (lane, statement, values) => lanes[lane].ask(statement, values),
    async close() {
      await Promise.all(Object.values(lanes).map((lane) => lane.close()));
    },
  };
}
