/** Bodies of the operations on runs, and the parameter with which a read waits. (docs/specification/runs.md) */
import { z } from "zod";
import { ids } from "./examples.ts";
import { text, time, uuid } from "./fields.ts";
import { metadata } from "./metadata.ts";
import { exampleRun } from "./run-rows.ts";

const maxAheadMs = 30 * 24 * 3_600_000;

/** The database checks it again, by its own clock (sql/triggers/starts.sql). */
const startTime = time.refine((value) => Date.parse(value) <= Date.now() + maxAheadMs, "must be at most 30 days ahead");

export const NewRun = z
  .object({
    botId: uuid,
    message: text(1, 32_000),
    untrusted: z.boolean().default(false).meta({
      description:
        "Set to true if the text comes from outside the organisation: the run is tainted and has fewer capabilities.",
    }),
    startAt: startTime.optional().meta({
      description:
        "The run stays `queued` until this time, at most 30 days ahead. A time in the past starts it at once. Later " +
        "runs of the conversation do not wait for it.",
    }),
    concurrencyKey: text(1, 200)
      .optional()
      .meta({
        description:
          "Name of what one run of the organisation at a time works on, such as an order. The run waits until no other run " +
          "with this key is `running` or `waiting_approval`, in the order of starts.",
      }),
    ifBusy: z
      .enum(["queue", "reject"])
      .optional()
      .meta({
        description:
          "`reject`: if another run with the `concurrencyKey` has not ended, the response is `conflict` and nothing starts. " +
          "Defaults to `queue`.",
      }),
    metadata: metadata.optional().meta({
      description:
        "Up to 20 pairs of your own, such as the number of an order. Everyone who sees the run sees them; the bot does not.",
    }),
  })
  .meta({
    id: "NewRun",
    examples: [{ botId: ids.bot, message: "When is the harbour office open?", metadata: exampleRun.metadata }],
  });

export const ResumedRun = z
  .object({
    message: text(1, 32_000).optional().meta({ description: "A message to the bot. Optional." }),
    untrusted: z.boolean().default(false).meta({
      description: "Set to true if the text comes from outside the organisation: the run becomes tainted.",
    }),
  })
  .meta({ id: "ResumedRun", examples: [{ message: "Take the earlier of the two dates." }] });

export const RetriedRun = z
  .object({
    fromStep: z.int().min(1).max(1_000).default(1).meta({
      description:
        "The number of the step to continue with. Results of the steps before are used again. 1 begins from the start.",
    }),
  })
  .meta({ id: "RetriedRun", examples: [{ fromStep: 1 }] });

export const wait = z
  .string()
  .regex(/^(\d|1\d|2[0-5])$/, "must be an integer from 0 to 25")
  .transform(Number)
  .optional()
  .meta({
    description: "Maximum time to wait, in seconds.",
    type: "integer",
    minimum: 0,
    maximum: 25,
    pattern: undefined,
  });
