/** What claims said before, and forgetting them. (docs/specification/memories.md#history.) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { text, timestamp, uuid } from "./fields.ts";
import { confidence, lawfulBasis, provenance, subjectKind } from "./memory-fields.ts";

export const MemoryChange = z
  .object({
    id: uuid,
    changedAt: timestamp,
    changedBy: uuid.nullable().meta({ description: "Whose key changed it; null where no key did." }),
    value: text(1, 4000),
    confidence,
    validTo: timestamp.nullable(),
    provenance,
    lawfulBasis,
  })
  .meta({
    id: "MemoryChange",
    description: "What a claim said until it was changed.",
    examples: [
      {
        id: ids.memoryChange,
        changedAt: times.finished,
        changedBy: ids.owner,
        value: "The harbour office is open from eight to four.",
        confidence: 1,
        validTo: null,
        provenance: "member",
        lawfulBasis: "legitimate_interests",
      },
    ],
  });

export const Subject = z
  .object({ subjectKind, subject: text(1, 200) })
  .meta({ id: "Subject", examples: [{ subjectKind: "third_party", subject: "Nils Holm" }] });

const notSearched = ["messages", "approvals", "bots", "routines", "backups"] as const;

export const Erasure = z
  .object({
    id: uuid,
    erasedAt: timestamp,
    memories: z.int().meta({ description: "How many claims were held." }),
    history: z.int().meta({ description: "How many times they, and such as were deleted before, had changed." }),
    proposals: z.int().meta({ description: "How many cards would have written, or had written, about them." }),
    answers: z.int().meta({ description: "How many answers of bots were blanked, because they cite an erased claim." }),
    complete: z.boolean().meta({
      description:
        "False when more is held than one call erases: ask again, under another Idempotency-Key, until it is true.",
    }),
    notSearched: z.array(z.enum(notSearched)).meta({
      description:
        "Where the subject may still be named, since an erasure goes by subject and citation and does not search texts: " +
        "other messages of people and bots, questions and messages on approval cards, names and instructions of bots, " +
        "names and messages of routines, and backups.",
    }),
  })
  .meta({
    id: "Erasure",
    description: "A receipt. It does not say who was forgotten: keep it with the request that it answers.",
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
