/** Metrics of reads that a replica could answer. */
import { Counter } from "prom-client";
import type { Registry } from "./registry.ts";

/** @param replica counts reads by outcome since the process started */
export function watchReplica(registry: Registry, { outcomes }: { outcomes(): Record<string, number> }): void {
  new Counter({
    name: "botstead_replica_reads_total",
    help: "Reads that a replica could answer: answered by it, or by the primary because the replica was behind, away or refused.",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(outcomes())) this.inc({ outcome }, count);
    },
  });
}
