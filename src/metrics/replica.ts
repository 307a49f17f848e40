/** Metrics of reads that a replica could answer. */
import { count, type Registry } from "./registry.ts";

/** @param replica counts reads by outcome since the process started */
export function watchReplica(registry: Registry, { outcomes }: { outcomes(): Record<string, number> }): void {
  count(
    registry,
    "botstead_replica_reads_total",
    "Reads that a replica could answer: answered by it, or by the primary because the replica was behind, away or refused.",
    ["outcome"],
    () => Object.entries(outcomes()).map(([outcome, reads]) => [{ outcome }, reads]),
  );
}
