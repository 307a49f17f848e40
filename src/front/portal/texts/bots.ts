/** The English texts of bots and memories. */
import type { Schemas } from "../schemas.ts";

const subjectKinds: Record<Schemas["SubjectKind"], string> = {
  organisation: "the organisation",
  member: "a member",
  third_party: "a third party",
};

const provenances: Record<Schemas["Provenance"], string> = {
  member: "a person or script",
  run: "a run",
  "run-tainted": "a tainted run",
  import: "an import",
};

const lawfulBases: Record<Schemas["LawfulBasis"], string> = {
  consent: "consent",
  contract: "contract",
  legal_obligation: "legal obligation",
  vital_interests: "vital interests",
  public_task: "public task",
  legitimate_interests: "legitimate interests",
};

const scopes: Record<Schemas["Memory"]["scope"], string> = {
  organisation: "organisation",
  bot: "one bot",
  member: "one member",
};

export const botTexts = {
  title: "Bots",
  deleted: (name: string) => `${name} (deleted)`,
  caption: "Bots",
  empty: "No bots yet. Create one and send it a message.",
  columns: {
    name: "Name",
    model: "Model",
    visibility: "Visibility",
    conversation: "Talks to",
    created: "Created",
    id: "Id",
  },
  visibilities: { team: "Team", personal: "Only its owner" },
  conversations: { members: "All members", owner: "Only its owner" },
  fields: {
    name: "Name",
    instructions: "Instructions",
    instructionsHint: "What the bot does and how it answers.",
    model: "Model",
    unavailable: "(not served now)",
    visibility: "Visibility",
    conversation: "Who can talk to it",
  },
  create: { button: "Create a bot…", title: "Create a bot", action: "Create", done: "The bot is created." },
  edit: { button: "Edit…", title: "Edit the bot", action: "Save", done: "The bot is saved." },
  remove: {
    button: "Delete bot…",
    title: "Delete the bot?",
    text: "Deletes the bot and its memories, and cancels its runs that have not ended. This cannot be undone.",
    action: "Delete bot",
    done: "The bot is deleted.",
  },
  ask: { button: "Ask this bot…", title: "Ask this bot", action: "Ask" },
  one: {
    title: "Bot",
    back: "All bots",
    instructions: "Instructions",
    noInstructions: "No instructions.",
    related: "Related",
    facts: { owner: "Owner", created: "Created", id: "Id" },
    links: { runs: "Runs", memories: "Memories", routines: "Routines", hooks: "Hooks" },
  },
};

export const memoryTexts = {
  title: "Memories",
  caption: "Memories",
  empty: "No memories yet. Bots use them in their answers.",
  noMatch: "No memory matches the search.",
  search: "Search",
  searchPlaceholder: "Words in any order",
  filters: {
    kind: "Kind",
    subject: "Subject",
    subjectKind: "About",
    scope: "Scope",
    bot: "Bot",
    provenance: "Provenance",
    current: "Validity",
    onlyCurrent: "Still valid",
  },
  columns: {
    subject: "Subject",
    value: "Memory",
    kind: "Kind",
    subjectKind: "About",
    scope: "Scope",
    provenance: "Provenance",
    confidence: "Confidence",
    validTo: "Valid to",
    created: "Created",
    lawfulBasis: "Lawful basis",
    id: "Id",
  },
  fields: {
    scope: "Scope",
    bot: "Bot",
    kind: "Kind",
    kindHint: "For example: policy, preference, fact.",
    subject: "Subject",
    subjectKind: "About",
    value: "Memory",
    valueHint: "One statement that bots can use in answers.",
    confidence: "Confidence, 0 to 1",
    validTo: "Valid to",
    lawfulBasis: "Lawful basis (GDPR, article 6)",
  },
  subjectKinds,
  provenances,
  lawfulBases,
  scopes,
  create: { button: "Create a memory…", title: "Create a memory", action: "Create", done: "The memory is created." },
  edit: { button: "Edit…", title: "Edit the memory", action: "Save", done: "The memory is saved." },
  remove: {
    button: "Delete memory…",
    title: "Delete the memory?",
    text: "Bots stop using it at once. Its history stays until the subject is erased.",
    action: "Delete memory",
    done: "The memory is deleted.",
  },
  erase: {
    button: "Erase a subject…",
    title: "Erase all memories about a subject",
    text:
      "Erases every memory of the organisation about the subject, with its history and proposals, " +
      "also memories that you cannot read. Answers that cite one become empty. This cannot be undone.",
    confirm: "Type the subject again",
    mismatch: "The two subjects differ.",
    action: "Erase",
    receipt: "Receipt of the erasure",
    receiptHint: "It does not contain the subject. Store it with the request for erasure.",
    incomplete: "More memories are left. Erase again until the erasure is complete.",
    facts: {
      id: "Id",
      erasedAt: "Time",
      memories: "Memories",
      history: "Former versions",
      proposals: "Proposals",
      answers: "Answers emptied",
      complete: "Complete",
      notSearched: "Not searched",
    },
  },
  one: {
    title: "Memory",
    back: "All memories",
    history: "History",
    historyCaption: "Former versions, newest first",
    noHistory: "The memory was never changed. Each change keeps the earlier value here.",
    changedAt: "Changed",
    changedBy: "By",
    nobody: "no person",
  },
  yes: "yes",
  no: "no",
};
