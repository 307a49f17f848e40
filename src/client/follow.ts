/** Types of the live event feed. */
import type { components } from "./generated/schema.ts";
import type { Sending } from "./types.ts";

export type Following = Sending & {
  /** The kind of events. Defaults to all. */
  event?: components["schemas"]["EventKind"] | undefined;
  /** Only events of this run and of its approvals. */
  runId?: string | undefined;
  /** A cursor of `GET /events`, or the `id` of an earlier event. Defaults to now. */
  after?: string | undefined;
};

/** An event of the live feed. `id` is the cursor after it. */
export type LiveEvent = {
  id: string;
  event: components["schemas"]["EventKind"];
  data: components["schemas"]["Event"];
};
