/** Fields of a memory in requests, responses and filters. (docs/specification/memories.md#fields) */
import { z } from "zod";
import { enumerations } from "./enumerations.ts";
import { ids, times } from "./examples.ts";
import { areRight, changes, text, time, timestamp, uuid } from "./fields.ts";

export const scope = z.enum(["organisation", "bot", "member"]);

export const subjectKind = z.enum(enumerations.SubjectKind).meta({
  id: "SubjectKind",
  description:
    "Whom or what the memory is about. A third party is not a member; memories of some kinds must not be stored " +
    "about third parties.",
});
const confidence = z.number().min(0).max(1);
export const lawfulBasis = z
  .enum(["consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests"])
  .meta({ id: "LawfulBasis", description: "The lawful basis for storing the memory: article 6 of the GDPR." });
export const provenance = z.enum(["member", "run", "import", "run-tainted"]).meta({
  id: "Provenance",
  description:
    "How the memory was created: `member` by a person or script, `run` by a run, `run-tainted` by a tainted " +
    "run, `import` by an import or with a template. It never changes.",
});

export const exampleMemory = {
  id: ids.memory,
  scope: "organisation",
  botId: null,
  kind: "policy",
  subject: "Opening hours",
  subjectKind: "organisation",
  value: "The harbour office is open from nine to five.",
  confidence: 1,
  validFrom: null,
  validTo: null,
  provenance: "member",
  createdAt: times.created,
  lawfulBasis: "legitimate_interests",
  supersedes: null,
  supersededBy: null,
  externalId: null,
};

/** The bounds are compared after the times are in UTC. */
const validity = {
  path: ["validTo"],
  message: "must be after validFrom",
  when: areRight("validFrom", "validTo"),
};
const isInOrder = ({
  validFrom,
  validTo,
}: {
  validFrom?: string | null | undefined;
  validTo?: string | null | undefined;
}) => !validFrom || !validTo || validFrom < validTo;

const supersedes = uuid.nullable().meta({
  description: "The memory that this memory replaced. Null if it replaced none, or that memory was deleted.",
});

const conflictsWith = z
  .array(uuid)
  .min(1)
  .max(20)
  .meta({
    description:
      "The newest memories of the same scope, bot, subject and kind that are valid now with another value, newest first. " +
      "Missing without conflict. In lists only with `conflicts=true`.",
  });

export const Memory = z
  .object({
    id: uuid,
    scope,
    botId: uuid.nullable().meta({ description: "The bot to which the memory belongs. Null unless `scope` is `bot`." }),
    kind: text(1, 60),
    subject: text(1, 200),
    subjectKind,
    value: text(1, 4000),
    confidence,
    validFrom: timestamp.nullable(),
    validTo: timestamp.nullable(),
    provenance,
    createdAt: timestamp,
    lawfulBasis,
    supersedes,
    supersededBy: uuid.nullable().meta({
      description: "The memory that replaced this memory. Null if none did, or that memory was deleted.",
    }),
    externalId: text(1, 200).nullable().meta({
      description: "The id with which the memory was imported. Null if it was not imported.",
    }),
    conflictsWith: conflictsWith.optional(),
  })
  .meta({
    id: "Memory",
    description: "A statement that bots can use in answers.",
    examples: [exampleMemory],
  });

export const NewMemory = z
  .object({
    scope: z.enum(["organisation", "bot"]),
    botId: uuid.nullish(),
    kind: text(1, 60),
    subject: text(1, 200),
    subjectKind: subjectKind.default("organisation"),
    value: text(1, 4000),
    confidence: confidence.default(1),
    validFrom: time.nullish(),
    validTo: time.nullish(),
    lawfulBasis: lawfulBasis.default("legitimate_interests"),
    supersedes: uuid.nullish().meta({
      description:
        "The memory that this memory replaces, of the same scope and bot. It gets `validTo`: `validFrom` of the new memory, " +
        "or now.",
    }),
  })
  .refine(isInOrder, validity)
  .refine(({ scope, botId }) => scope !== "bot" || botId, {
    path: ["botId"],
    message: "is required for a memory of scope bot",
    when: areRight("scope", "botId"),
  })
  .refine(({ scope, botId }) => scope !== "organisation" || !botId, {
    path: ["botId"],
    message: "must be omitted for a memory of scope organisation",
    when: areRight("scope", "botId"),
  })
  .meta({
    id: "NewMemory",
    description: "`botId` is required with scope `bot`, and must be omitted with scope `organisation`.",
    examples: [
      {
        scope: "organisation",
        kind: "policy",
        subject: "Opening hours",
        value: "The harbour office is open from nine to five.",
      },
    ],
  });

export const MemoryChanges = changes({
  value: text(1, 4000),
  confidence,
  validFrom: time.nullable(),
  validTo: time.nullable(),
  lawfulBasis,
})
  .refine(isInOrder, validity)
  .meta({ id: "MemoryChanges", examples: [{ value: "The harbour office is open from ten to six.", confidence: 0.9 }] });

const formerMemory = Memory.omit({
  id: true,
  scope: true,
  botId: true,
  kind: true,
  subject: true,
  subjectKind: true,
  createdAt: true,
  supersedes: true,
  externalId: true,
  conflictsWith: true,
});

export const MemoryChange = z
  .object({
    id: uuid,
    changedAt: timestamp,
    changedBy: uuid.nullable().meta({ description: "The person who made the change. Null if no key made it." }),
    ...formerMemory.shape,
  })
  .meta({
    id: "MemoryChange",
    description: "A memory before one change.",
    examples: [
      {
        id: ids.memoryChange,
        changedAt: times.finished,
        changedBy: ids.owner,
        ...formerMemory.parse({ ...exampleMemory, value: "The harbour office is open from eight to four." }),
      },
    ],
  });
