/** Runs. (Part 2, "Run"; part 4, "Runs".) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { page, paging, text, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";
import { runState, trigger } from "./run-fields.ts";

const errorCode = z
  .enum(["budget_steps", "budget_spend", "budget_time", "executor_failed", "executor_lost", "refused", "internal"])
  .meta({ id: "RunErrorCode" });

const Run = z
  .object({
    id: uuid,
    botId: uuid,
    conversationId: uuid,
    routineId: uuid.nullable(),
    state: runState,
    trigger,
    taint: z.boolean().meta({ description: "Whether it began with words of people outside the organisation." }),
    steps: z.int(),
    spendMicroCents: z.int().meta({ description: "Micro-cents: 1,000,000 are one cent." }),
    error: z.object({ code: errorCode, message: z.string() }).nullable(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({
    id: "Run",
    description: "One unit of a bot's work, from the message that starts it to its answer.",
    examples: [
      {
        id: ids.run,
        botId: ids.bot,
        conversationId: ids.conversation,
        routineId: null,
        state: "queued",
        trigger: "api",
        taint: false,
        steps: 0,
        spendMicroCents: 0,
        error: null,
        createdAt: times.created,
        finishedAt: null,
      },
    ],
  });

const Message = z
  .object({
    id: uuid,
    runId: uuid,
    conversationId: uuid,
    author: z.enum(["person", "bot"]),
    text: z.string(),
    memoryIds: z.array(uuid).meta({ description: "The claims that an answer rests on, best first." }),
    createdAt: timestamp,
  })
  .meta({
    id: "Message",
    examples: [
      {
        id: ids.message,
        runId: ids.run,
        conversationId: ids.conversation,
        author: "bot",
        text: "The harbour office is open from nine to five.",
        memoryIds: [ids.memory],
        createdAt: times.finished,
      },
    ],
  });

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

export const runs = [
  operation({
    name: "list_runs",
    method: "get",
    path: "/runs",
    scope: "read",
    status: 200,
    summary: "List the runs of bots that the key's person sees",
    description: "That a bot ran, how far and at what cost is seen by whoever sees the bot; its words are not.",
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
      "`unavailable` also when nothing has been there for a minute to carry it out.",
    body: NewRun,
    reply: Run,
    location: "/runs/",
    refusals: ["not_found", "payment_required", "quota_exceeded", "unavailable"],
  }),
  operation({
    name: "get_run",
    method: "get",
    path: "/runs/{id}",
    scope: "read",
    status: 200,
    summary: "Read a run",
    description: "The run as it stands. `error` says why a run failed.",
    pointRead: true,
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
    refusals: ["not_found", "forbidden", "conflict"],
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
];
