/** Routines. (docs/specification/routines.md) */
import { z } from "zod";
import { isSchedule } from "../routines/cron.ts";
import { nextFiring } from "../routines/next-firing.ts";
import { isTimeZone } from "../routines/zone.ts";
import { automationState, pauseReason } from "./automation-fields.ts";
import { ids, times } from "./examples.ts";
import { changes, Deleted, page, paging, text, timestamp, uuid } from "./fields.ts";
import { name } from "./names.ts";
import { type Operation, operation } from "./operation.ts";
import { revisionIgnoring } from "./revision.ts";

const schedule = text(9, 200)
  .pipe(z.string().refine(isSchedule, "must be a cron expression of five fields that occurs at some time"))
  .meta({
    description:
      "A cron expression of five fields: minute, hour, day of month, month, day of week. A field is `*`, a " +
      "number, a range, a list or a step (`*/15`, `9-17/2`). Months and weekdays can be names (`MON-FRI`); " +
      "Sunday is 0 or 7. If both day fields are restricted, either one suffices. A step such as `*/2` restricts; `*` " +
      "and `*/1` do not.\n\nWith fixed hours, a time " +
      "skipped by daylight saving fires at the change, and a repeated time fires once. With `*` or `*/2` as the " +
      "hour, firings follow elapsed time.",
  });
const timeZone = text(1, 60)
  .pipe(z.string().refine(isTimeZone, "must be an IANA time zone, for example Europe/Berlin"))
  .meta({ description: "IANA time zone, for example `Europe/Berlin`." });
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
      .meta({ description: "Why the service paused the routine. Null if a person paused it." }),
    nextFiringAt: timestamp.nullable().meta({
      description: "Null while paused, and briefly after a change.",
    }),
    lastFiredAt: timestamp.nullable(),
    lastRunId: uuid.nullable(),
    lastSkippedAt: timestamp.nullable().meta({ description: "Time of the last firing that could not start a run." }),
    lastSkipReason: z.enum(["payment_required", "quota_exceeded", "unavailable"]).nullable().meta({
      description: "The refusal of that firing, as of `POST /runs`.",
    }),
    createdBy: uuid.meta({ description: "The person on whose behalf runs start, in their conversation with the bot." }),
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

/**
 * The first firing by this process's clock. SQL uses it if its own clock agrees; otherwise a worker computes the time.
 */
const plan: Operation["derive"] = ({ schedule, timeZone }) => {
  const plannedAt = new Date();
  return { plannedAt, nextFiringAt: nextFiring(String(schedule), String(timeZone), plannedAt) };
};

const revision = revisionIgnoring("nextFiringAt", "lastFiredAt", "lastRunId", "lastSkippedAt", "lastSkipReason");

export const routines = [
  operation({
    name: "list_routines",
    method: "get",
    path: "/routines",
    scope: "read",
    status: 200,
    summary: "List routines",
    searchTerms: "when, what runs automatically, planned, upcoming, what happens every day, which reports",
    description: "Lists routines of bots that the key's person can see, with their messages.",
    query: z.object({ ...paging, botId: uuid.optional().meta({ description: "Returns only routines of this bot." }) }),
    list: true,
    reply: page(Routine),
  }),
  operation({
    name: "create_routine",
    method: "post",
    path: "/routines",
    scope: "write",
    role: "admin",
    inPerson: true,
    status: 201,
    summary: "Create routine",
    searchTerms:
      "regularly, automate, every day, hourly, monthly, weekdays, morning, evening, newsletter, yearly, later, " +
      "in the morning, every Friday, every Monday, at nine, once a week, each month, remind me, automatically, " +
      "repeat, first of the month, at noon, before the weekend, each morning",
    description:
      "Creates a schedule that sends a message to a bot. At each firing the message is added to the conversation of the " +
      "key's person with the bot, and starts a " +
      "run with the trigger `routine`. Firings missed while no worker was running are replaced by one. A firing " +
      "that `POST /runs` would refuse is skipped, and `lastSkipReason` states why. Runs of routines have a " +
      "limit of their own (`routineStartsPerHour` in `GET /me`, 120 by default).\n\nReturns `not_found` if the " +
      "person cannot see the bot or talk to it.",
    body: NewRoutine,
    derive: plan,
    reply: Routine,
    revision,
    location: "/routines/",
    refusals: ["not_found"],
  }),
  operation({
    name: "get_routine",
    method: "get",
    path: "/routines/{id}",
    scope: "read",
    status: 200,
    summary: "Retrieve routine",
    searchTerms:
      "next time, when, execution, did it run, last time, why did it not run, missed, when does it run next, " +
      "why is it paused",
    description:
      "Returns the routine with its next firing and its last run. `pauseReason` states why the service paused it.",
    pointRead: true,
    reply: Routine,
    revision,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_routine",
    method: "patch",
    path: "/routines/{id}",
    scope: "write",
    status: 200,
    summary: "Update, pause or resume routine",
    searchTerms:
      "reschedule, daily report, skip, postpone, delay, vacation, another time, earlier, too often, snooze, " +
      "change the time, move it, shift, an hour earlier, too early, too late, later, another day",
    description:
      "Changes, pauses or resumes a routine. Requires at least one field. Another person than the creator can only pause " +
      "the routine. Firings missed " +
      "while it was paused are dropped.",
    body: RoutineChanges,
    reply: Routine,
    revision,
    refusals: ["not_found"],
    reasons: ["not_creator"],
  }),
  operation({
    name: "delete_routine",
    method: "delete",
    path: "/routines/{id}",
    scope: "write",
    status: 200,
    summary: "Delete routine",
    searchTerms: "stop, cancel, not needed any more",
    description: "Deletes a routine. A run in progress continues. Runs of the routine are kept.",
    reply: Deleted,
    refusals: ["not_found"],
  }),
];
