/** Metrics of the database connection pools. */
import type { Pool } from "pg";
import { type Registry, watch } from "./registry.ts";

type Counts = Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;

export function watchPools(registry: Registry, pools: Record<string, Counts>): void {
  watch(
    registry,
    "botstead_pool_connections",
    "Connections of a pool: open (including idle), idle, and requests that wait for a connection.",
    ["pool", "state"],
    function* () {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        yield [{ pool, state: "open" }, totalCount];
        yield [{ pool, state: "idle" }, idleCount];
        yield [{ pool, state: "waiting" }, waitingCount];
      }
    },
  );
}
