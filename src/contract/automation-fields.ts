/** Fields of both routines and hooks, which start runs on behalf of their creator. */
import { z } from "zod";

export const automationState = z.enum(["active", "paused"]);

/** `schedule_ended` occurs only for routines. */
export const pauseReason = z.enum(["creator_not_admin", "bot_not_visible", "schedule_ended"]).meta({
  id: "PauseReason",
  description:
    "`creator_not_admin`: the creator is no longer an owner or admin. `bot_not_visible`: the creator can no " +
    "longer see the bot or talk to it. `schedule_ended`: the schedule has no next time.",
});
