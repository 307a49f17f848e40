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
    "run, `import` with a template. It never changes.",
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
  validTo: null,
  provenance: "member",
  createdAt: times.created,
  lawfulBasis: "legitimate_interests",
};

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
    validTo: timestamp.nullable(),
    provenance,
    createdAt: timestamp,
    lawfulBasis,
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
    validTo: time.nullish(),
    lawfulBasis: lawfulBasis.default("legitimate_interests"),
  })
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
  validTo: time.nullable(),
  lawfulBasis,
}).meta({ id: "MemoryChanges", examples: [{ value: "The harbour office is open from ten to six.", confidence: 0.9 }] });

const formerMemory = Memory.omit({
  id: true,
  scope: true,
  botId: true,
  kind: true,
  subject: true,
  subjectKind: true,
  createdAt: true,
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
