/** How memories are listed, searched, and looked at as they were. (docs/specification/memories.md#search.) */
import { z } from "zod";
import { areRight, paging, text, time, uuid } from "./fields.ts";
import { provenance, scope, subjectKind } from "./memory-fields.ts";

const part = z.object({ text: z.string(), hit: z.boolean() });

export const highlight = z.object({ subject: z.array(part), value: z.array(part) }).meta({
  id: "Highlight",
  description:
    "Given when `q` is. The parts of the subject and of the value in their order: joined they are the text, and those " +
    "with `hit` are what was found. Plain text, without markup: escape each part as you would the whole.",
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
          "Words to look for, in any order, in the organisation's language. The more of them a claim has, the rarer they " +
          "are and the surer it is, the earlier it comes. A word that no claim has is taken for a slip of the pen.",
      }),
    kind: text(1, 60).optional().meta({ description: "Only claims of this kind, spelled just so." }),
    subject: text(1, 200).optional().meta({
      description: "Only claims about this subject, however it is spelled: case, spaces and hyphens are the same.",
    }),
    subjectKind: subjectKind.optional().meta({ description: "Only claims about such a subject." }),
    provenance: provenance.optional().meta({ description: "Only claims that came this way." }),
    scope: scope.optional().meta({ description: "Only claims of the organisation, of bots, or of the key's person." }),
    botId: uuid.optional().meta({ description: "Only claims of this bot." }),
    current: z.enum(["true", "false"]).optional().meta({
      description: "`true` leaves out claims past their `validTo`.",
      type: "boolean",
      enum: undefined,
    }),
    asOf: time.optional().meta({
      description:
        "Claims as they were held at this instant, changed and deleted since or not; `current` is then about this " +
        "instant too. Not together with `q`. What was erased was never held.",
      format: "date-time",
    }),
  })
  .refine(({ q, asOf }) => q === undefined || asOf === undefined, {
    path: ["asOf"],
    message: "must not be given together with q",
    when: areRight("q", "asOf"),
  });
