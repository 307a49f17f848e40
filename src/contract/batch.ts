/** The batch. (decisions: "Batch".) */
import { z } from "zod";
import { exampleBot } from "./bots.ts";
import { text } from "./fields.ts";
import { exampleMemory } from "./memories.ts";
import { operation } from "./operation.ts";

const Asked = z
  .object({
    id: text(1, 255)
      .optional()
      .meta({ description: "The caller's own name for the operation, given back with its result." }),
    method: z.enum(["GET", "POST", "PATCH", "DELETE"]),
    path: text(1, 4096).meta({ description: "Below /api/v1, with its query, as /memories?limit=10." }),
    body: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "BatchOperation" });

export type AskedInBatch = z.infer<typeof Asked>;

const NewBatch = z
  .object({
    atomic: z.boolean().default(false).meta({ description: "The first refusal undoes all; the others answer 409." }),
    operations: z.array(Asked).min(1, "must hold 1 to 50 operations").max(50, "must hold 1 to 50 operations"),
  })
  .meta({
    id: "Batch",
    examples: [
      {
        atomic: true,
        operations: [
          { id: "guide", method: "POST", path: "/bots", body: { name: exampleBot.name } },
          {
            id: "hours",
            method: "POST",
            path: "/memories",
            body: { scope: "organisation", kind: "policy", subject: "Opening hours", value: "Nine to five." },
          },
          { id: "claims", method: "GET", path: "/memories?limit=10" },
        ],
      },
    ],
  });

const Result = z
  .object({
    id: z.string().nullable().meta({ description: "The caller's own name for the operation." }),
    status: z.int().meta({ description: "As it would have been alone." }),
    body: z.record(z.string(), z.unknown()).meta({ description: "The row, the list or the refusal." }),
  })
  .meta({ id: "BatchResult" });

const Results = z.object({ results: z.array(Result).meta({ description: "In the order of the operations." }) }).meta({
  id: "BatchResults",
  examples: [
    {
      results: [
        { id: "guide", status: 201, body: exampleBot },
        { id: "hours", status: 201, body: exampleMemory },
        { id: "claims", status: 200, body: { data: [exampleMemory], nextCursor: null } },
      ],
    },
  ],
});

export const batch = [
  operation({
    name: "batch",
    method: "post",
    path: "/batch",
    scope: "write",
    status: 200,
    summary: "Perform up to 50 operations in one transaction, in order",
    description:
      "Each operation meets its own scope, validation and quota, is answered with its own status, and counts as one request " +
      "in the buckets. One Idempotency-Key holds for the whole. With `atomic` the first refusal undoes everything, and the " +
      "others answer `conflict`. A batch holds no batch.",
    body: NewBatch,
    reply: Results,
  }),
];
