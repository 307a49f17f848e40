/** Models. (docs/specification/models.md#served-models) */
import { z } from "zod";
import { text } from "./fields.ts";
import { operation } from "./operation.ts";

const Model = z
  .object({
    id: text(1, 100).meta({ description: "Name of the model, as in `model` of a bot." }),
    available: z.boolean().meta({
      description:
        "Whether an executor served the model within the last minute. If false, `POST /runs` returns `unavailable`.",
    }),
  })
  .meta({ id: "Model", examples: [{ id: "recall", available: true }] });

const ModelList = z
  .object({
    data: z.array(Model).meta({ description: "Sorted by name, at most 2,001." }),
    nextCursor: z.string().nullable().meta({ description: "Always null: the list has one page." }),
  })
  .meta({ id: "ModelList", examples: [{ data: [{ id: "recall", available: true }], nextCursor: null }] });

export const models = [
  operation({
    name: "list_models",
    method: "get",
    path: "/models",
    scope: "read",
    status: 200,
    summary: "List models",
    searchTerms:
      "language models, LLM, AI, providers, choice, available, prices, GPT, Claude, newer, which AI, cheapest, " +
      "better, which AI can answer",
    description:
      "Lists the models that a bot can have: the built-in `recall`, and models that an executor served within " +
      "the last day and whose price no operator has withdrawn. Runs of a bot with a withdrawn model fail with " +
      "`refused`.",
    reply: ModelList,
  }),
];
