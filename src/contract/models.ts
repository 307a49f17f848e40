/** Models. (docs/specification/models.md#served-models.) */
import { z } from "zod";
import { text } from "./fields.ts";
import { operation } from "./operation.ts";

const Model = z
  .object({
    id: text(1, 100).meta({ description: "Its name, as a bot's `model`." }),
    available: z.boolean().meta({
      description:
        "Whether an executor has been alive for it within the last minute. Else `POST /runs` is `unavailable`.",
    }),
  })
  .meta({ id: "Model", examples: [{ id: "recall", available: true }] });

const ModelList = z
  .object({
    data: z.array(Model).meta({ description: "By name, at most 2,001." }),
    nextCursor: z.string().nullable().meta({ description: "Always null: all models are on one page." }),
  })
  .meta({ id: "ModelList", examples: [{ data: [{ id: "recall", available: true }], nextCursor: null }] });

export const models = [
  operation({
    name: "list_models",
    method: "get",
    path: "/models",
    scope: "read",
    status: 200,
    summary: "List the models that bots may have",
    description:
      "The built-in `recall`, and models that an executor has served within a day, unless an operator has withdrawn them. " +
      "Runs of a bot whose model was withdrawn fail with `refused`.",
    reply: ModelList,
  }),
];
