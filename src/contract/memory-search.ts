/** Filters and search of memories, and their state at a former time. (docs/specification/memories.md#search) */
import { z } from "zod";
import { areRight, paging, text, time, uuid } from "./fields.ts";
import { provenance, scope, subjectKind } from "./memory-fields.ts";

const part = z.object({ text: z.string(), hit: z.boolean() });

export const highlight = z
  .object({
    subject: z.array(part).meta({ description: "The parts of the subject." }),
    value: z.array(part).meta({ description: "The parts of the value." }),
  })
  .meta({
    id: "Highlight",
    description:
      "Only with `q`. The parts of the subject and of the value, in order. Joined they are the text; parts with " +
      "`hit` matched. Plain text: escape each part before you show it as HTML.",
    examples: [
      {
        subject: [
          { text: "Opening", hit: true },
          { text: " hours", hit: false },
        ],
        value: [{ text: "From nine to five.", hit: false }],
      },
    ],
  });

export const MemoryFilters = z
  .object({
    ...paging,
    q: text(1, 400)
      .optional()
      .meta({
        description:
          "Search words in the organisation's language, in any order. A memory ranks higher the more of the " +
          "words it contains, the rarer they are, and the higher its confidence. A word that no memory contains " +
          "is treated as a misspelling.",
      }),
    kind: text(1, 60).optional().meta({ description: "Returns only memories of exactly this kind." }),
    subject: text(1, 200).optional().meta({
      description: "Returns only memories about this subject. Case, spaces and hyphens are ignored.",
    }),
    subjectKind: subjectKind.optional().meta({ description: "Returns only memories about this kind of subject." }),
    provenance: provenance.optional().meta({ description: "Returns only memories of this provenance." }),
    scope: scope.optional().meta({ description: "Returns only memories of this scope." }),
    botId: uuid.optional().meta({ description: "Returns only memories of this bot." }),
    current: z.enum(["true", "false"]).optional().meta({
      description: "`true` excludes memories past their `validTo` and before their `validFrom`.",
      type: "boolean",
      enum: undefined,
    }),
    conflicts: z
      .enum(["true", "false"])
      .optional()
      .meta({
        description:
          "`true` returns only memories that are in conflict with others, each with `conflictsWith`. Cannot be combined with " +
          "`q` or `asOf`.",
        type: "boolean",
        enum: undefined,
      }),
    asOf: time.optional().meta({
      description:
        "Returns memories as they were at this time, including memories changed or deleted since. `current` " +
        "then refers to this time. Erased memories are not included. Cannot be combined with `q`.",
      format: "date-time",
    }),
  })
  .refine(({ q, asOf }) => q === undefined || asOf === undefined, {
    path: ["asOf"],
    message: "must be omitted together with q",
    when: areRight("q", "asOf"),
  })
  .refine(({ q, asOf, conflicts }) => conflicts !== "true" || (q === undefined && asOf === undefined), {
    path: ["conflicts"],
    message: "must be omitted together with q and asOf",
    when: areRight("q", "asOf", "conflicts"),
  });
