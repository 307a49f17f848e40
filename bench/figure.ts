/** The type of a row of the results table. */
import type { Delivery } from "./deliveries/measure.ts";
import type { Request } from "./load.ts";
import type { Call } from "./pgbench.ts";
import type { SystemName } from "./systems.ts";
import type { Triggers } from "./triggers.ts";

/** One figure: HTTP load on a system, pgbench on the dispatcher, or deliveries. */
export type Figure = {
  row: "baseline" | "get" | "list" | "post" | "members" | "batch" | "deliveries" | "runs";
  id: string;
  label: string;
  /** Triggers on memories that are disabled during the measurement. */
  without?: Triggers;
} & ({ system: SystemName; requests: Request[] } | { call: Call } | { delivery: Delivery });
