/** Runs. (docs/specification/runs.md) */
import { z } from "zod";
import { ids } from "./examples.ts";
import { page, paging, text, uuid } from "./fields.ts";
import { operation } from "./operation.ts";
import { runState } from "./run-fields.ts";
import { Message, Run, Step } from "./run-rows.ts";

const NewRun = z
  .object({
    botId: uuid,
    message: text(1, 32_000),
    untrusted: z.boolean().default(false).meta({
      description: "Set it when the words come from people outside: the run is tainted and may do less.",
    }),
  })
  .meta({ id: "NewRun", examples: [{ botId: ids.bot, message: "When is the harbour office open?" }] });

const ResumedRun = z
  .object({
    message: text(1, 32_000).optional().meta({ description: "What the bot is to know before it goes on." }),
    untrusted: z.boolean().default(false).meta({
      description: "Set it when the words come from people outside: the run is tainted from here on.",
    }),
  })
  .meta({ id: "ResumedRun", examples: [{ message: "Take the earlier of the two dates." }] });

const wait = z
  .string()
  .regex(/^(\d|1\d|2[0-5])$/, "must be an integer from 0 to 25")
  .transform(Number)
  .optional()
  .meta({
    description: "Seconds to wait, at most.",
    type: "integer",
    minimum: 0,
    maximum: 25,
    pattern: undefined,
  });

export const runs = [
  operation({
    name: "list_runs",
    method: "get",
    path: "/runs",
    scope: "read",
    status: 200,
    summary: "List the runs of bots that the key's person sees",
    description: "A key that sees the bot sees that it ran, how far and at what cost, but not its messages.",
    query: z.object({
      ...paging,
      botId: uuid.optional().meta({ description: "Only runs of this bot." }),
      state: runState.optional().meta({ description: "Only runs in this state." }),
    }),
    list: true,
    reply: page(Run),
  }),
  operation({
    name: "start_run",
    method: "post",
    path: "/runs",
    scope: "write",
    status: 202,
    summary: "Start a run with a message to a bot",
    description:
      "The message goes into the conversation of the key's person with the bot. The answer comes at once, whether the run " +
      "starts now or waits behind another of that conversation: follow it with `GET /runs/{id}`, or be told by the webhook " +
      "`run.finished`. A run has 50 steps, 2 euros and 10 minutes. `not_found` when the person does not see the bot or may " +
      "not talk to it; `payment_required` without a trial or a payment; `quota_exceeded` at 120 starts in an hour; " +
      "`unavailable` also when nothing has been there for a minute to carry it out. A run of a bot whose model was withdrawn is " +
      "accepted, and fails with `refused`.",
    body: NewRun,
    reply: Run,
    location: "/runs/",
    refusals: ["not_found", "unavailable"],
    reasons: ["billing_inactive", "limit_run_starts"],
  }),
  operation({
    name: "get_run",
    method: "get",
    path: "/runs/{id}",
    scope: "read",
    status: 200,
    summary: "Read a run",
    description:
      "The run as it stands. `error` says why a run failed. With `wait` the answer comes once the run is neither `queued` " +
      "nor `running`: it has ended, or a person or the next cycle is waited for. After that many seconds it comes as the " +
      "run stands, so ask again.",
    query: z.object({ wait }),
    pointRead: true,
    waits: true,
    reply: Run,
    refusals: ["not_found"],
  }),
  operation({
    name: "cancel_run",
    method: "post",
    path: "/runs/{id}/cancel",
    scope: "write",
    status: 200,
    summary: "Cancel a run; a finished one stays as it is",
    description: "Cancelling what has ended changes nothing and announces nothing.",
    reply: Run,
    refusals: ["not_found"],
  }),
  operation({
    name: "resume_run",
    method: "post",
    path: "/runs/{id}/resume",
    scope: "write",
    status: 200,
    summary: "Let a blocked run go on, with a word to the bot where that helps",
    description:
      "A run is `blocked` when the bot stopped rather than improvise; its last message says why. It goes back to the queue " +
      "of its conversation, with the steps and the cost that it has. `forbidden` for anybody but the person whose " +
      "conversation it is; `conflict` when the run is not blocked.",
    body: ResumedRun,
    reply: Run,
    refusals: ["not_found"],
    reasons: ["not_own_conversation", "run_not_blocked"],
  }),
  operation({
    name: "list_run_messages",
    method: "get",
    path: "/runs/{id}/messages",
    scope: "read",
    status: 200,
    summary: "List what the person and the bot said in a run of one's own",
    description: "The words belong to the conversation's person: `not_found` for anybody else, whatever their role.",
    query: z.object(paging),
    list: true,
    reply: page(Message),
    refusals: ["not_found"],
  }),
  operation({
    name: "list_run_steps",
    method: "get",
    path: "/runs/{id}/steps",
    scope: "read",
    status: 200,
    summary: "List the steps of a run: what was done, with how many tokens, at what cost",
    description:
      "A key that sees the bot sees the steps. Newest first; `number` counts from 1. Kept for 90 days from the start of the run unless the service says otherwise: after that the list is empty, and the run's own `steps` and `spendMicroCents` stay.",
    query: z.object(paging),
    list: true,
    reply: page(Step),
    refusals: ["not_found"],
  }),
];
