/** Erasure of memories. (docs/specification/memories.md#erasure) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { text, timestamp, uuid } from "./fields.ts";
import { subjectKind } from "./memory-fields.ts";

export const Subject = z
  .object({ subjectKind, subject: text(1, 200) })
  .meta({ id: "Subject", examples: [{ subjectKind: "third_party", subject: "Nils Holm" }] });

const notSearched = ["messages", "steps", "approvals", "bots", "routines", "backups"] as const;

export const Erasure = z
  .object({
    id: uuid,
    erasedAt: timestamp,
    memories: z.int().meta({ description: "Number of erased memories." }),
    history: z
      .int()
      .meta({ description: "Number of erased former versions, including those of memories deleted earlier." }),
    proposals: z
      .int()
      .meta({ description: "Number of erased approvals that proposed a memory about the subject, answered or not." }),
    answers: z
      .int()
      .meta({ description: "Number of answers of bots that became empty because they cite an erased memory." }),
    complete: z.boolean().meta({
      description:
        "False if memories are left, because one call erases a limited number. Call again with a new " +
        "Idempotency-Key until it is true.",
    }),
    notSearched: z.array(z.enum(notSearched)).meta({
      description:
        "Texts that are not searched and may still contain the subject: other messages, questions and messages of " +
        "approvals, names and instructions of bots, names and messages of routines, and backups. `steps`: results of " +
        "steps that cite no erased memory, for at most 7 days.",
    }),
  })
  .meta({
    id: "Erasure",
    description: "A receipt. It does not contain the subject: store it with the request for erasure.",
    examples: [
      {
        id: ids.erasure,
        erasedAt: times.finished,
        memories: 3,
        history: 1,
        proposals: 0,
        answers: 2,
        complete: true,
        notSearched: [...notSearched],
      },
    ],
  });
