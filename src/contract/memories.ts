/** Memories. (docs/specification/memories.md) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { areRight, changes, Deleted, page, paging, text, time, timestamp, uuid } from "./fields.ts";
import { confidence, lawfulBasis, provenance, scope, subjectKind } from "./memory-fields.ts";
import { Erasure, MemoryChange, Subject } from "./memory-history.ts";
import { highlight, MemoryFilters } from "./memory-search.ts";
import { operation } from "./operation.ts";

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
    scope,
    botId: uuid.nullable(),
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
  .meta({ id: "Memory", description: "A claim that bots may recall.", examples: [exampleMemory] });

const MemoryList = page(
  Memory.extend({ highlight: highlight.optional() }).meta({
    id: "ListedMemory",
    description: "A claim in a list. In a search, with what of it was found.",
    examples: [exampleMemory],
  }),
).meta({ id: "MemoryList", examples: [{ data: [exampleMemory], nextCursor: null }] });

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
  .refine(({ scope, botId }) => scope !== "bot" || botId, {
    path: ["botId"],
    message: "is required for a bot's claim",
    when: areRight("scope", "botId"),
  })
  .refine(({ scope, botId }) => scope !== "organisation" || !botId, {
    path: ["botId"],
    message: "must not be given for the organisation's claim",
    when: areRight("scope", "botId"),
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

export const memories = [
  operation({
    name: "list_memories",
    method: "get",
    path: "/memories",
    scope: "read",
    status: 200,
    summary: "List claims, or search them",
    description:
      "What the key's person may read: the organisation's claims, those of bots they see, and their own. Claims past " +
      "their `validTo` are listed, though no bot recalls them any more. With `q`, the claims that match it, best " +
      "first, each with a `highlight`; its pages go on by rank, and what is written meanwhile moves none of them. With " +
      "`asOf`, the claims of that instant, as they were.",
    query: MemoryFilters,
    list: true,
    reply: MemoryList,
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
    refusals: ["not_found"],
    reasons: ["kind_restricted"],
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
    refusals: ["not_found"],
    reasons: ["member_memory", "kind_restricted"],
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
    refusals: ["not_found"],
    reasons: ["member_memory"],
  }),
  operation({
    name: "list_memory_history",
    method: "get",
    path: "/memories/{id}/history",
    scope: "read",
    status: 200,
    summary: "Read what a claim said before",
    description:
      "A row for each change, newest first: what the claim said until then, and who changed it. `not_found` when the " +
      "claim is deleted, too.",
    query: z.object(paging),
    list: true,
    reply: page(MemoryChange),
    refusals: ["not_found"],
  }),
  operation({
    name: "erase_memories",
    method: "post",
    path: "/memories/erase",
    scope: "admin",
    status: 200,
    summary: "Erase what is held about somebody",
    description:
      "All of the organisation's claims about this subject, however it is spelled (case, spaces and hyphens are the " +
      "same), also claims that the key's person can't read; what they said before; what runs proposed to say; and answers " +
      "kept for replays that showed them, whose replay is `not_found` from then on. Answers of bots that cite an erased " +
      "claim are blanked, and have `erasedAt`. It can't be undone. Done again it finds nothing. Of more than 5,000 " +
      "claims as many are erased, and `complete` is false. Other texts are not searched and stay as they are: " +
      "`notSearched` in the receipt lists them.",
    body: Subject,
    reply: Erasure,
  }),
];
