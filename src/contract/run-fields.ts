/** What runs and the events about them share. (docs/specification/runs.md#states) */
import { z } from "zod";

export const runState = z
  .enum(["queued", "running", "waiting_approval", "blocked", "paused_limit", "completed", "failed", "cancelled"])
  .meta({
    id: "RunState",
    description:
      "`queued` (perhaps behind another run of its conversation), `running`, `waiting_approval` (a person has to answer), " +
      "`blocked` (the bot stopped rather than improvise), `paused_limit` (a usage limit is reached; it goes on with the " +
      "next cycle), and the three ends `completed`, `failed` and `cancelled`.",
  });

export const trigger = z.enum(["api", "message", "routine", "webhook"]).meta({
  id: "RunTrigger",
  description: "What started the run; this API's are `api`.",
});

/** Whether an executor works on the run or will. A request with `?wait=` waits until this ends. */
export function isUnderWay({ state }: { state: z.infer<typeof runState> }): boolean {
  return state === "queued" || state === "running";
}
