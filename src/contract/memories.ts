/** Memories. (docs/specification/memories.md) */
import { z } from "zod";
import { maxImportLines } from "./body-limits.ts";
import { Deleted, page, paging } from "./fields.ts";
import { Erasure, Subject } from "./memory-erasure.ts";
import { exampleMemory, Memory, MemoryChange, MemoryChanges, NewMemory } from "./memory-fields.ts";
import { MemoryImport, MemoryImportResults, withExternalIds } from "./memory-imports.ts";
import { highlight, MemoryFilters } from "./memory-search.ts";
import { operation } from "./operation.ts";
import { revisionIgnoring } from "./revision.ts";

const MemoryList = page(
  Memory.extend({ highlight: highlight.optional() }).meta({
    id: "ListedMemory",
    description: "A memory in a list. In a search it has a `highlight`.",
    examples: [exampleMemory],
  }),
).meta({ id: "MemoryList", examples: [{ data: [exampleMemory], nextCursor: null }] });

/** Another memory may begin or end a conflict. */
const revision = revisionIgnoring("conflictsWith");

export const memories = [
  operation({
    name: "list_memories",
    method: "get",
    path: "/memories",
    scope: "read",
    status: 200,
    summary: "List or search memories",
    searchTerms:
      "knowledge base, what the bot knows, look up, full-text, what was stored, taught, what do we know about, " +
      "does it know, what does it think, what has it learned",
    description:
      "Lists the memories that the key's person can read: those of the organisation, of bots visible to the " +
      "person, and of the person. Memories past their `validTo` are included, though bots no longer use " +
      "them.\n\nWith `q`, lists matching memories, best first, each with a `highlight`. Pages follow the rank and " +
      "keep it while others write; only the neighbours of a written memory can move. With `asOf`, lists memories as they were at that time. " +
      "With `conflicts=true`, lists memories that contradict others.\n\nWith `Accept: application/x-ndjson`, returns all memories, one " +
      "on each line, as `POST /memories/import` takes them.",
    query: MemoryFilters,
    list: true,
    lines: true,
    reply: MemoryList,
  }),
  operation({
    name: "create_memory",
    method: "post",
    path: "/memories",
    scope: "write",
    role: "admin",
    status: 201,
    shortWrite: true,
    summary: "Create memory",
    searchTerms:
      "teach, learn, train, save, tell the bot, opening hours, new information, inform the bot, tell it that, " +
      "note down, keep in mind, closed on, from now on, should know, let it know, holiday, fact about us, " +
      "write down, store, record, add to the knowledge, make it known",
    description:
      "Stores a memory of the key's person with provenance `member`. Returns `not_found` if the person cannot " +
      "see the bot.\n\nWith `supersedes`, ends the former memory and stores the new one together, or neither. " +
      "`conflictsWith` names memories that the new one contradicts.",
    body: NewMemory,
    reply: Memory,
    revision,
    location: "/memories/",
    refusals: ["not_found", "conflict"],
    reasons: ["kind_restricted", "member_memory", "memory_of_another_owner", "memory_not_current"],
  }),
  operation({
    name: "import_memories",
    method: "post",
    path: "/memories/import",
    scope: "write",
    role: "admin",
    status: 200,
    summary: "Import memories",
    searchTerms:
      "bulk, upload, load, many at once, migrate, migration, transfer, move from another system, sync, CSV, JSON lines, " +
      "ndjson, file, knowledge base, existing documents, restore, hand over",
    description:
      `Stores up to ${maxImportLines} memories with provenance \`import\`, each under an external id. A memory that is stored already ` +
      "stays as it is, so every part can be sent again. Each line has its own result: a refused line does not stop the others. A " +
      "line with an invalid field refuses its part as `invalid_request`; `details` names the lines, counted from 0. The memories of a " +
      "part are stored together or not at all.\n\nThe body is a JSON object, or with `Content-Type: application/x-ndjson` one " +
      "memory on each line.",
    body: MemoryImport,
    bodyLines: "memories",
    derive: (input) => withExternalIds(input as never),
    maxBodyValues: 20 * maxImportLines,
    reply: MemoryImportResults,
  }),
  operation({
    name: "get_memory",
    method: "get",
    path: "/memories/{id}",
    scope: "read",
    status: 200,
    summary: "Retrieve memory",
    searchTerms: "source, origin, where did it learn this, who said so",
    description:
      "Returns a memory with its lawful basis and its provenance. Returns `not_found` for a memory that the key's person " +
      "cannot read.",
    pointRead: true,
    reply: Memory,
    revision,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_memory",
    method: "patch",
    path: "/memories/{id}",
    scope: "write",
    role: "admin",
    status: 200,
    shortWrite: true,
    summary: "Update memory",
    searchTerms:
      "correct, fix, wrong, outdated, opening hours, changed, not true any more, says the wrong thing, " +
      "wrong answer, keeps telling, no longer true, false, price changed, mistake, has changed, went up, " +
      "new price, no longer right, is different now",
    description: "Changes the statement or other fields of a memory. Requires at least one field.",
    body: MemoryChanges,
    reply: Memory,
    revision,
    refusals: ["not_found"],
    reasons: ["member_memory", "kind_restricted"],
  }),
  operation({
    name: "delete_memory",
    method: "delete",
    path: "/memories/{id}",
    scope: "write",
    role: "admin",
    status: 200,
    shortWrite: true,
    summary: "Delete memory",
    searchTerms: "forget, unlearn, forget that, no longer remember, should not know, must not remember",
    description: "Deletes one memory. Bots stop using the memory at once.",
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
    summary: "List memory history",
    searchTerms:
      "versions, previous values, earlier, revisions, who changed it, when was it changed, what was it before, " +
      "edited, used to be",
    description:
      "Returns one row per change, newest first: the values before the change, and the person who made it. " +
      "Returns `not_found` for a deleted memory.",
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
    summary: "Erase memories about subject",
    searchTerms:
      "GDPR, privacy, right to be forgotten, personal data, customer, person, everything, purge, forget, " +
      "data protection, deletion, wipe, all data about her, all data about him, legal request, anonymise, " +
      "client, data subject, all traces",
    description:
      "Erases all memories of the organisation about the subject, including memories that the key's person " +
      "cannot read. Subjects are compared without case, spaces and hyphens. Also erases their history, " +
      "proposals of runs about the subject, and stored idempotent responses that contain them: replaying such a " +
      "request returns `not_found`. Answers of bots that cite an erased memory become empty and get " +
      "`erasedAt`.\n\nErasure cannot be undone. Repeating it erases nothing more. One call erases at most 1,000 " +
      "memories; if more are stored, `complete` is false. Other texts are not searched: `notSearched` lists " +
      "them.",
    body: Subject,
    reply: Erasure,
  }),
];
