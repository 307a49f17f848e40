/** Metrics of the database connection pools. */
import type { Pool } from "pg";
import { type Registry, watch } from "./registry.ts";

type Counts = Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;

/** Pools by name. `cell` is empty unless the process serves several cells. */
type PoolsOfCell = { cell: string; pools: Record<string, Counts> };

export const ofCell = (cell: string): { cell?: string } => (cell === "" ? {} : { cell });

export function watchPools(registry: Registry, cells: () => PoolsOfCell[]): void {
  watch(
    registry,
    "botstead_pool_connections",
    "Connections of a pool: open (including idle), idle, and requests that wait for a connection.",
    ["cell", "pool", "state"],
    function* () {
      for (const { cell, pools } of cells()) {
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
          yield [{ ...ofCell(cell), pool, state: "open" }, totalCount];
          yield [{ ...ofCell(cell), pool, state: "idle" }, idleCount];
          yield [{ ...ofCell(cell), pool, state: "waiting" }, waitingCount];
        }
      }
    },
  );
}
