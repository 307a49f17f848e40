/** The batch. (docs/specification/batch.md.) */
import { z } from "zod";
import { exampleBot } from "./bots.ts";
import { text } from "./fields.ts";
import { exampleMemory } from "./memories.ts";
import { operation } from "./operation.ts";

const methods = ["GET", "POST", "PATCH", "DELETE"] as const;

const Item = z
  .object({
    id: text(1, 255)
      .optional()
      .meta({ description: "The caller's own name for the operation, returned with its result." }),
    method: z
      .string()
      .transform((method) => method.toUpperCase())
      .pipe(z.enum(methods))
      .meta({ enum: methods, description: "In upper or lower case." }),
    path: text(1, 4096).meta({ description: "Below /api/v1, with its query, as /memories?limit=10." }),
    body: z.record(z.string(), z.unknown()).nullish(),
  })
  .meta({ id: "BatchOperation" });

export type BatchItem = z.infer<typeof Item>;

const NewBatch = z
  .object({
    atomic: z.boolean().default(false).meta({ description: "The first refusal undoes all; the others answer 409." }),
    operations: z.array(Item).min(1, "must hold 1 to 50 operations").max(50, "must hold 1 to 50 operations"),
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
    reason: z.string().nullable().meta({ description: "What the header `X-Botstead-Reason` would have said alone." }),
    body: z.record(z.string(), z.unknown()).meta({ description: "The row, the list or the refusal." }),
  })
  .meta({ id: "BatchResult" });

const Results = z.object({ results: z.array(Result).meta({ description: "In the order of the operations." }) }).meta({
  id: "BatchResults",
  examples: [
    {
      results: [
        { id: "guide", status: 201, reason: null, body: exampleBot },
        { id: "hours", status: 201, reason: null, body: exampleMemory },
        { id: "claims", status: 200, reason: null, body: { data: [exampleMemory], nextCursor: null } },
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
      "others answer `conflict`. A batch holds no batch. Results total at most 4 MB, and 1 MB where an operation is no GET, because then " +
      "they are stored for replays: an operation whose result has no room is refused with 413 in its place and does nothing. A batch of GETs alone is not stored; a repetition reads again.",
    body: NewBatch,
    reply: Results,
    bodyLimits: { bytes: 1024 * 1024, values: 5_000 },
  }),
];
