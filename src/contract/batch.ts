/** The batch. (decisions: "Batch".) */
import { z } from "zod";
import { text } from "./fields.ts";
import { operation } from "./operation.ts";

const Asked = z.object({
  id: text(1, 255)
    .optional()
    .meta({ description: "The caller's own name for the operation, given back with its result." }),
  method: z.enum(["GET", "POST", "PATCH", "DELETE"]),
  path: text(1, 4096).meta({ description: "Below /api/v1, with its query, as /memories?limit=10." }),
  body: z.record(z.string(), z.unknown()).optional(),
});

export type AskedInBatch = z.infer<typeof Asked>;

const NewBatch = z.object({
  atomic: z.boolean().default(false).meta({ description: "The first refusal undoes all; the others answer 409." }),
  operations: z.array(Asked).min(1, "must hold 1 to 50 operations").max(50, "must hold 1 to 50 operations"),
});

const Results = z.object({
  results: z.array(z.object({ id: z.string().nullable(), status: z.int(), body: z.record(z.string(), z.unknown()) })),
});

export const batch = [
  operation({
    name: "batch",
    method: "post",
    path: "/batch",
    scope: "write",
    status: 200,
    summary: "Perform up to 50 operations in one transaction, in order",
    body: NewBatch,
    reply: Results,
  }),
];
