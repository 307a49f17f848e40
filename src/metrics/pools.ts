/** Connections to the database, by pool: how many there are, how many are idle, and who waits for one. */
import type { Pool } from "pg";
import { type Registry, watch } from "./registry.ts";

type Counts = Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;

/** @param pools by their name; one without a name of its own is not told of */
export function watchPools(registry: Registry, pools: Record<string, Counts>): void {
  watch(
    registry,
    "botstead_pool_connections",
    "Connections of a pool: open (those idle among them), idle, and requests that wait for one.",
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
