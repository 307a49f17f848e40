/** Metrics of reads that a replica could answer. */
import { ofCell } from "./pools.ts";
import { count, type Registry } from "./registry.ts";

/** `replica` counts reads by outcome since the process started. `cell` is empty unless the process serves several cells. */
type ReplicaOfCell = { cell: string; replica: { outcomes(): Record<string, number> } };

export function watchReplicas(registry: Registry, cells: () => ReplicaOfCell[]): void {
  count(
    registry,
    "botstead_replica_reads_total",
    "Reads that a replica could answer: answered by it, or by the primary because the replica was behind, away or refused.",
    ["cell", "outcome"],
    function* () {
      for (const { cell, replica } of cells()) {
        for (const [outcome, reads] of Object.entries(replica.outcomes())) yield [{ ...ofCell(cell), outcome }, reads];
      }
    },
  );
}
