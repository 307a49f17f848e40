/** What routines and hooks share: both start runs when their person is not there. */
import { z } from "zod";

export const automationState = z.enum(["active", "paused"]);

/** Of a hook, whose time does not come from a schedule, the last one is never answered. */
export const pauseReason = z.enum(["creator_not_admin", "bot_not_visible", "schedule_ended"]).meta({
  id: "PauseReason",
  description:
    "`creator_not_admin`: its creator is no longer an owner or admin. `bot_not_visible`: they no longer see the " +
    "bot, or may not talk to it. `schedule_ended`: its schedule has no next time.",
});
