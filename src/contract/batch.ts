/** The batch. (docs/specification/batch.md) */
import { z } from "zod";
import { exampleBot } from "./bots.ts";
import { text } from "./fields.ts";
import { exampleMemory } from "./memory-fields.ts";
import { operation } from "./operation.ts";
import { exampleEtag } from "./revision.ts";

const methods = ["GET", "POST", "PATCH", "DELETE"] as const;

const Item = z
  .object({
    id: text(1, 255).optional().meta({ description: "An identifier of your choice, returned with the result." }),
    method: z
      .string()
      .transform((method) => method.toUpperCase())
      .pipe(z.enum(methods))
      .meta({ enum: methods, description: "Upper or lower case." }),
    path: text(1, 4096).meta({
      description: "Path below `/api/v1`, with its query, for example `/memories?limit=10`.",
    }),
    body: z.record(z.string(), z.unknown()).nullish(),
    ifMatch: text(1, 4096)
      .optional()
      .meta({ description: "The header `If-Match` of a PATCH: the `etag` of an earlier result, for example." }),
  })
  .meta({ id: "BatchOperation" });

export type BatchItem = z.infer<typeof Item>;

const NewBatch = z
  .object({
    atomic: z
      .boolean()
      .default(false)
      .meta({ description: "If true, the first refusal undoes all operations, and the others return `conflict`." }),
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
          { id: "memories", method: "GET", path: "/memories?limit=10" },
        ],
      },
    ],
  });

const Result = z
  .object({
    id: z.string().nullable().meta({ description: "The identifier from the request." }),
    status: z.int().meta({ description: "The HTTP status that the operation returns outside a batch." }),
    reason: z.string().nullable().meta({ description: "The `X-Botstead-Reason` of the operation." }),
    etag: z.string().nullable().meta({ description: "The `ETag` of the operation, if its resource has one." }),
    body: z
      .record(z.string(), z.unknown())
      .meta({ description: "The body that the operation returns outside a batch." }),
  })
  .meta({ id: "BatchResult" });

const Results = z
  .object({ results: z.array(Result).meta({ description: "One result per operation, in the same order." }) })
  .meta({
    id: "BatchResults",
    examples: [
      {
        results: [
          { id: "guide", status: 201, reason: null, etag: exampleEtag, body: exampleBot },
          { id: "hours", status: 201, reason: null, etag: exampleEtag, body: exampleMemory },
          { id: "memories", status: 200, reason: null, etag: null, body: { data: [exampleMemory], nextCursor: null } },
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
    summary: "Execute batch",
    searchTerms: "bulk, several at once, multiple, many, transaction, atomic, together",
    description:
      "Executes the operations in order. Each one is checked against its own scope, schema and limits, returns " +
      "its own status, and counts as one request in the rate limits. One Idempotency-Key covers the batch. With " +
      "`atomic` the first refusal undoes all operations, and the others return `conflict`. A batch cannot " +
      "contain a batch, a stream or a part of an export.\n\nThe results have at most 1 MB in total. An operation whose " +
      "result exceeds this returns 413 and changes nothing. A replay returns the stored results, also those of reads.",
    body: NewBatch,
    reply: Results,
    maxBodyValues: 5_000,
  }),
];
