/** Routines. (Beyond the specification; docs/specification/routines.md.) */
import { z } from "zod";
import { isSchedule } from "../routines/cron.ts";
import { nextFiring } from "../routines/next-firing.ts";
import { isTimeZone } from "../routines/zone.ts";
import { automationState, pauseReason } from "./automation-fields.ts";
import { ids, times } from "./examples.ts";
import { changes, Deleted, page, paging, text, timestamp, uuid } from "./fields.ts";
import { name } from "./names.ts";
import { type Operation, operation } from "./operation.ts";

const schedule = text(9, 200)
  .pipe(z.string().refine(isSchedule, "must be five fields of cron, with a day that comes"))
  .meta({
    description:
      "Five fields of cron: minute, hour, day of the month, month, day of the week. Each `*`, a number, a range, a list of " +
      "them or a step (`*/15`, `9-17/2`); months and weekdays by number or name (`MON-FRI`), Sunday being 0 or 7. With both " +
      "days named, either suffices. Where hours are named, a time that clocks skip in spring comes when they are set, and " +
      "one that they show twice in autumn comes once; `*` and `*/2` of hours go by the time that passes.",
  });
const timeZone = text(1, 60)
  .pipe(z.string().refine(isTimeZone, "must be a time zone of the IANA database, as Europe/Berlin"))
  .meta({ description: "Of the IANA database, as `Europe/Berlin`." });
const message = text(1, 32_000);

const exampleRoutine = {
  id: ids.routine,
  botId: ids.bot,
  name: "Morning round",
  schedule: "30 8 * * MON-FRI",
  timeZone: "Europe/Berlin",
  message: "What has changed since yesterday?",
  state: "active",
  pauseReason: null,
  nextFiringAt: times.inAWeek,
  lastFiredAt: null,
  lastRunId: null,
  lastSkippedAt: null,
  lastSkipReason: null,
  createdBy: ids.owner,
  createdAt: times.created,
};

const Routine = z
  .object({
    id: uuid,
    botId: uuid,
    name: z.string(),
    schedule: z.string(),
    timeZone: z.string(),
    message: z.string(),
    state: automationState,
    pauseReason: pauseReason
      .nullable()
      .meta({ description: "Why it was paused by itself; null where a person did it." }),
    nextFiringAt: timestamp.nullable().meta({
      description: "null while it is paused, and for a moment after it was changed or resumed.",
    }),
    lastFiredAt: timestamp.nullable(),
    lastRunId: uuid.nullable(),
    lastSkippedAt: timestamp.nullable().meta({ description: "When it last was due and could start no run." }),
    lastSkipReason: z.enum(["payment_required", "quota_exceeded", "unavailable"]).nullable().meta({
      description: "The refusal that `POST /runs` would have met then.",
    }),
    createdBy: uuid.meta({ description: "In whose name its runs go, into their conversation with the bot." }),
    createdAt: timestamp,
  })
  .meta({ id: "Routine", examples: [exampleRoutine] });

const NewRoutine = z
  .object({ botId: uuid, name: name(60), schedule, timeZone: timeZone.default("UTC"), message })
  .meta({
    id: "NewRoutine",
    examples: [
      {
        botId: exampleRoutine.botId,
        name: exampleRoutine.name,
        schedule: exampleRoutine.schedule,
        timeZone: exampleRoutine.timeZone,
        message: exampleRoutine.message,
      },
    ],
  });

const RoutineChanges = changes({ name: name(60), schedule, timeZone, message, state: automationState }).meta({
  id: "RoutineChanges",
  examples: [{ schedule: "0 7 * * *" }],
});

/** When it first fires, by the clock of this process: SQL takes it where its own clock agrees, else a worker plans it. */
const plan: Operation["derive"] = ({ schedule, timeZone }) => {
  const plannedAt = new Date();
  return { plannedAt, nextFiringAt: nextFiring(String(schedule), String(timeZone), plannedAt) };
};

export const routines = [
  operation({
    name: "list_routines",
    method: "get",
    path: "/routines",
    scope: "read",
    status: 200,
    summary: "List the routines of bots that the key's person sees",
    description: "With what they say: a routine belongs to its bot as its instructions do.",
    query: z.object({ ...paging, botId: uuid.optional().meta({ description: "Only routines of this bot." }) }),
    list: true,
    reply: page(Routine),
  }),
  operation({
    name: "create_routine",
    method: "post",
    path: "/routines",
    scope: "write",
    status: 201,
    summary: "Have a message sent to a bot on a schedule",
    description:
      "At each firing the message goes into the conversation of the key's person with the bot and starts a run with the " +
      "trigger `routine`. What was missed while no worker ran is made up for by one firing. A firing that meets what would " +
      "refuse `POST /runs` is skipped, and the row says why. Routines have 120 starts an hour of their own. `not_found` when " +
      "the person does not see the bot or may not talk to it; `quota_exceeded` with 50 routines.",
    body: NewRoutine,
    derive: plan,
    reply: Routine,
    location: "/routines/",
    refusals: ["not_found"],
    reasons: ["limit_routines"],
  }),
  operation({
    name: "get_routine",
    method: "get",
    path: "/routines/{id}",
    scope: "read",
    status: 200,
    summary: "Read a routine",
    description: "When it fires next, what came of it last, and why it does not fire if it does not.",
    pointRead: true,
    reply: Routine,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_routine",
    method: "patch",
    path: "/routines/{id}",
    scope: "write",
    status: 200,
    summary: "Change, pause or resume a routine",
    description:
      "Name at least one field. Its runs act for its creator, so others may pause it and no more: `forbidden`. " +
      "What it has missed while it was paused is not made up for.",
    body: RoutineChanges,
    reply: Routine,
    refusals: ["not_found"],
    reasons: ["not_creator"],
  }),
  operation({
    name: "delete_routine",
    method: "delete",
    path: "/routines/{id}",
    scope: "write",
    status: 200,
    summary: "Delete a routine; its runs stay",
    description: "A key of scope `write` that sees its bot may delete it. A run that has begun goes on.",
    reply: Deleted,
    refusals: ["not_found"],
  }),
];
