/** Responses for runs, messages and steps. (docs/specification/runs.md) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { timestamp, uuid } from "./fields.ts";
import { shownMetadata } from "./metadata.ts";
import { runState, trigger } from "./run-fields.ts";

const errorCode = z
  .enum(["budget_steps", "budget_spend", "budget_time", "executor_failed", "executor_lost", "refused", "internal"])
  .meta({
    id: "RunErrorCode",
    description: "Why the run failed. `budget_…`: it used all of its steps, money or time.",
  });

export const exampleRun = {
  id: ids.run,
  botId: ids.bot,
  conversationId: ids.conversation,
  routineId: null,
  retryOf: null,
  state: "queued",
  trigger: "api",
  taint: false,
  steps: 0,
  spendMicroCents: 0,
  error: null,
  createdAt: times.created,
  finishedAt: null,
  startAt: null,
  concurrencyKey: null,
  metadata: { order: "4711" },
};

export const Run = z
  .object({
    id: uuid,
    botId: uuid,
    conversationId: uuid,
    routineId: uuid.nullable(),
    retryOf: uuid.nullable().meta({ description: "The ended run that this run repeats. Null: none." }),
    state: runState,
    trigger,
    taint: z.boolean().meta({ description: "Whether the run contains text from outside the organisation." }),
    steps: z.int(),
    spendMicroCents: z.int().meta({ description: "In micro-cents: 1,000,000 micro-cents are one cent." }),
    error: z
      .object({ code: errorCode, message: z.string().meta({ description: "A fixed sentence for people." }) })
      .nullable(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
    startAt: timestamp.nullable().meta({
      description: "The `startAt` of `POST /runs`: the run is `queued` until this time at least. Null without it.",
    }),
    concurrencyKey: z.string().nullable().meta({
      description:
        "The `concurrencyKey` of `POST /runs`: one run of the organisation with this key works at a time. Null without it.",
    }),
    metadata: shownMetadata,
    message: z
      .string()
      .nullable()
      .optional()
      .meta({
        description:
          "The first 200 characters of the message that started the run. Null if another person sent it. Only in lists " +
          "with `include=message`.",
      }),
  })
  .meta({
    id: "Run",
    description: "One request to a bot, from the message that starts it to its end.",
    examples: [exampleRun],
  });

export const Message = z
  .object({
    id: uuid,
    runId: uuid,
    conversationId: uuid,
    author: z.enum(["person", "bot"]),
    text: z.string(),
    memoryIds: z.array(uuid).meta({ description: "The memories that the answer cites, best first." }),
    createdAt: timestamp,
    erasedAt: timestamp.nullable().meta({
      description:
        "Time at which the answer was emptied because a memory that it cites was erased: `text` and `memoryIds` " +
        "are then empty. Null otherwise.",
    }),
  })
  .meta({
    id: "Message",
    description: "One message of the conversation.",
    examples: [
      {
        id: ids.message,
        runId: ids.run,
        conversationId: ids.conversation,
        author: "bot",
        text: "The harbour office is open from nine to five.",
        memoryIds: [ids.memory],
        createdAt: times.finished,
        erasedAt: null,
      },
    ],
  });

const exampleStep = {
  runId: ids.run,
  number: 1,
  kind: "recall",
  inputTokens: 0,
  outputTokens: 0,
  spendMicroCents: 0,
  createdAt: times.finished,
  key: null,
  reusedAt: null,
};

export const Step = z
  .object({
    runId: uuid,
    number: z.int().meta({ description: "From 1, in the order of recording." }),
    kind: z.string().meta({ description: "The executor's name for the step, for example `recall` or `answer`." }),
    inputTokens: z.int(),
    outputTokens: z.int(),
    spendMicroCents: z.int().meta({ description: "In micro-cents: 1,000,000 micro-cents are one cent." }),
    createdAt: timestamp,
    key: z.string().nullable().meta({
      description: "The executor's name for this step within its run. The same key is not worked on twice. Null: none.",
    }),
    reusedAt: timestamp.nullable().meta({
      description:
        "When the result of this step was last passed to another executor, which did not repeat it. Null: never.",
    }),
  })
  .meta({
    id: "Step",
    description: "One recorded action of a run, with its tokens and cost.",
    examples: [exampleStep],
  });
