/** A run, and the messages and steps that belong to it, as they are answered. (docs/specification/runs.md#fields) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { timestamp, uuid } from "./fields.ts";
import { runState, trigger } from "./run-fields.ts";

const errorCode = z
  .enum(["budget_steps", "budget_spend", "budget_time", "executor_failed", "executor_lost", "refused", "internal"])
  .meta({ id: "RunErrorCode" });

export const exampleRun = {
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
};

export const Run = z
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
    examples: [exampleRun],
  });

export const Message = z
  .object({
    id: uuid,
    runId: uuid,
    conversationId: uuid,
    author: z.enum(["person", "bot"]),
    text: z.string(),
    memoryIds: z.array(uuid).meta({ description: "The claims that an answer rests on, best first." }),
    createdAt: timestamp,
    erasedAt: timestamp.nullable().meta({
      description:
        "When the answer was blanked, because it cites a claim that was erased: `text` and `memoryIds` are empty then. " +
        "Null for every other message.",
    }),
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
};

export const Step = z
  .object({
    runId: uuid,
    number: z.int().meta({ description: "From 1, in the order in which they were taken." }),
    kind: z.string().meta({ description: "What the executor calls it, as `recall` or `answer`." }),
    inputTokens: z.int(),
    outputTokens: z.int(),
    spendMicroCents: z.int().meta({ description: "Micro-cents: 1,000,000 are one cent." }),
    createdAt: timestamp,
  })
  .meta({
    id: "Step",
    description: "Something that an executor did for a run, and what it cost.",
    examples: [exampleStep],
  });
