/** Memories. (Part 2, "Memory"; part 4, "Memories".) */
import { z } from "zod";
import { changes, Deleted, page, paging, text, time, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const subjectKind = z.enum(["organisation", "member", "third_party"]);
const confidence = z.number().min(0).max(1);
const lawfulBasis = z.enum([
  "consent",
  "contract",
  "legal_obligation",
  "vital_interests",
  "public_task",
  "legitimate_interests",
]);

const Memory = z.object({
  id: uuid,
  scope: z.enum(["organisation", "bot", "member"]),
  botId: uuid.nullable(),
  kind: text(1, 60),
  subject: text(1, 200),
  subjectKind,
  value: text(1, 4000),
  confidence,
  validTo: timestamp.nullable(),
  provenance: z.enum(["member", "run", "import", "run-tainted"]),
  createdAt: timestamp,
  lawfulBasis,
});

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
  });

const MemoryChanges = changes({
  value: text(1, 4000),
  confidence,
  validTo: time.nullable(),
  lawfulBasis,
});

const MemoryFilters = z.object({
  ...paging,
  scope: z.enum(["organisation", "bot", "member"]).optional(),
  botId: uuid.optional(),
  current: z.enum(["true", "false"]).optional().meta({ description: "true leaves out claims past their validTo." }),
});

export const memories = [
  operation({
    name: "list_memories",
    method: "get",
    path: "/memories",
    scope: "read",
    status: 200,
    summary: "List claims",
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
    reply: Deleted,
    refusals: ["not_found", "forbidden"],
  }),
];
