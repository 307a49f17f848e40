/** Reads where there is a replica: how many it answered, and why the primary answered the others. */
import { Counter } from "prom-client";
import type { Registry } from "./registry.ts";

/** @param replica tells how many reads had which outcome, since the process began */
export function watchReplica(registry: Registry, { outcomes }: { outcomes(): Record<string, number> }): void {
  new Counter({
    name: "botstead_replica_reads_total",
    help: "Reads for which a replica was to be asked: answered by it, or by the primary because it was behind, away or refused.",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(outcomes())) this.inc({ outcome }, count);
    },
  });
}
