/** What a row of the table is measured by. */
import type { ContestantName } from "./contest.ts";
import type { Delivery } from "./deliveries/measure.ts";
import type { Request } from "./load.ts";
import type { Call } from "./pgbench.ts";
import type { Triggers } from "./triggers.ts";

/** One figure: a load on a contestant, pgbench on the dispatcher, deliveries, or claims among so many finished runs. */
export type Figure = {
  row: "ground" | "get" | "list" | "post" | "members" | "batch" | "deliveries" | "runs";
  id: string;
  label: string;
  /** Triggers on claims that are off meanwhile. */
  without?: Triggers;
} & (
  | { contestant: ContestantName; requests: Request[] }
  | { call: Call }
  | { delivery: Delivery }
  | { finished: number }
);
