/** Memories. (Part 2, "Memory"; part 4, "Memories".) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { changes, Deleted, page, paging, text, time, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

export const subjectKind = z.enum(["organisation", "member", "third_party"]).meta({
  id: "SubjectKind",
  description: "Whom the claim is about. Of a third party, who is no member, some kinds may not be held at all.",
});
const confidence = z.number().min(0).max(1);
export const lawfulBasis = z
  .enum(["consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests"])
  .meta({ id: "LawfulBasis", description: "On what ground it is held: article 6 of the GDPR." });

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

const Memory = z
  .object({
    id: uuid,
    scope: z.enum(["organisation", "bot", "member"]),
    botId: uuid.nullable(),
    kind: text(1, 60),
    subject: text(1, 200),
    subjectKind,
    value: text(1, 4000),
    confidence,
    validTo: timestamp.nullable(),
    provenance: z.enum(["member", "run", "import", "run-tainted"]).meta({
      id: "Provenance",
      description:
        "How it came: `member` from a person or their script, `run` from a bot, `import` with a template, `run-tainted` " +
        "from a run that had read what others wrote. It is never raised.",
    }),
    createdAt: timestamp,
    lawfulBasis,
  })
  .meta({ id: "Memory", description: "A claim that bots may recall.", examples: [exampleMemory] });

const NewMemory = z
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
  .check((found) => {
    const { scope, botId } = found.value;
    if (scope === "bot" && !botId) {
      found.issues.push({ code: "custom", path: ["botId"], message: "is required for a bot's claim", input: botId });
    }
    if (scope === "organisation" && botId) {
      found.issues.push({
        code: "custom",
        path: ["botId"],
        message: "must not be given for the organisation's claim",
        input: botId,
      });
    }
  })
  .meta({
    id: "NewMemory",
    description: "`botId` is required for a bot's claim and refused for the organisation's.",
    examples: [
      {
        scope: "organisation",
        kind: "policy",
        subject: "Opening hours",
        value: "The harbour office is open from nine to five.",
      },
    ],
  });

const MemoryChanges = changes({
  value: text(1, 4000),
  confidence,
  validTo: time.nullable(),
  lawfulBasis,
}).meta({ id: "MemoryChanges", examples: [{ value: "The harbour office is open from ten to six.", confidence: 0.9 }] });

const MemoryFilters = z.object({
  ...paging,
  scope: z
    .enum(["organisation", "bot", "member"])
    .optional()
    .meta({ description: "Only claims of the organisation, of bots, or of the key's person." }),
  botId: uuid.optional().meta({ description: "Only claims of this bot." }),
  current: z.enum(["true", "false"]).optional().meta({
    description: "`true` leaves out claims past their `validTo`.",
    type: "boolean",
    enum: undefined,
  }),
});

export const memories = [
  operation({
    name: "list_memories",
    method: "get",
    path: "/memories",
    scope: "read",
    status: 200,
    summary: "List claims",
    description:
      "What the key's person may read: the organisation's claims, those of bots they see, and their own. Claims past " +
      "their `validTo` are listed, though no bot recalls them any more.",
    query: MemoryFilters,
    list: true,
    reply: page(Memory),
  }),
  operation({
    name: "create_memory",
    method: "post",
    path: "/memories",
    scope: "write",
    status: 201,
    summary: "Record a claim",
    description:
      "Written as the key's person, with provenance `member`. `not_found` when the bot is not one they see; `forbidden` " +
      "when the kind may not be held about a third party, as health, religion or politics.",
    body: NewMemory,
    reply: Memory,
    location: "/memories/",
    refusals: ["not_found", "forbidden"],
  }),
  operation({
    name: "get_memory",
    method: "get",
    path: "/memories/{id}",
    scope: "read",
    status: 200,
    summary: "Read a claim",
    description: "`not_found` also for what the key's person may not read.",
    pointRead: true,
    reply: Memory,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_memory",
    method: "patch",
    path: "/memories/{id}",
    scope: "write",
    status: 200,
    summary: "Change a claim",
    description:
      "Name at least one field. `forbidden` for a member's own claim, which is not written through this API.",
    body: MemoryChanges,
    reply: Memory,
    refusals: ["not_found", "forbidden"],
  }),
  operation({
    name: "delete_memory",
    method: "delete",
    path: "/memories/{id}",
    scope: "write",
    status: 200,
    summary: "Delete a claim",
    description: "No bot recalls it from here on. `forbidden` for a member's own claim.",
    reply: Deleted,
    refusals: ["not_found", "forbidden"],
  }),
];
