/** Fields of runs and of events about runs. (docs/specification/runs.md#states) */
import { z } from "zod";
import { enumerations } from "./enumerations.ts";

export const runState = z.enum(enumerations.RunState).meta({
  id: "RunState",
  description:
    "`queued`: waits for an executor or for another run of its conversation. `waiting_approval`: waits for a " +
    "person's answer. `blocked`: the bot stopped, and the person has to resume the run. `paused_limit`: the " +
    "spending limit is reached; the run continues in the next month. Ends: `completed`, `failed`, `cancelled`.",
});

export const trigger = z.enum(enumerations.RunTrigger).meta({
  id: "RunTrigger",
  description: "What started the run. Runs started through this API have `api`.",
});

/** Whether the run is `queued` or `running`. A request with `?wait=` waits until it is not. */
export function isUnderWay({ state }: { state: z.infer<typeof runState> }): boolean {
  return state === "queued" || state === "running";
}
