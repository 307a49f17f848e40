/** Approval cards, to be looked at. Answering one is for its person, on a page. (docs/specification/approvals.md.) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { page, paging, text, timestamp, uuid } from "./fields.ts";
import { exampleMemory } from "./memories.ts";
import { lawfulBasis, subjectKind } from "./memory-fields.ts";
import { operation } from "./operation.ts";

export const approvalKind = z.enum(["question", "memory", "run"]).meta({
  id: "ApprovalKind",
  description:
    "`question`: the run waits for the answer. `memory` and `run`: a tainted run would record a claim or start a run, " +
    "which happens when it is approved; the run that proposed it does not wait.",
});

export const approvalState = z.enum(["pending", "approved", "refused", "expired", "withdrawn"]).meta({
  id: "ApprovalState",
  description:
    "`expired`: nobody answered in time, which counts as refused. `withdrawn`: its run ended or was cancelled before.",
});

export const ProposedMemory = z
  .object({
    scope: z.enum(["organisation", "bot", "member"]),
    kind: text(1, 60),
    subject: text(1, 200),
    subjectKind,
    value: text(1, 4000),
    confidence: z.number().min(0).max(1),
    validTo: timestamp.nullable(),
    lawfulBasis,
  })
  .meta({
    id: "ProposedMemory",
    description: "A claim that is recorded if it is approved: of the run's bot or person.",
  });

export const ProposedRun = z.object({ botId: uuid, message: text(1, 32_000) }).meta({
  id: "ProposedRun",
  description: "A run that is started if it is approved, tainted like the one that proposed it.",
});

const { scope, kind, subject, value, confidence, validTo } = exampleMemory;

const Approval = z
  .object({
    id: uuid,
    runId: uuid,
    botId: uuid,
    conversationId: uuid,
    kind: approvalKind,
    question: text(1, 2000).nullable(),
    reason: text(1, 2000).nullable(),
    memory: ProposedMemory.nullable(),
    run: ProposedRun.nullable(),
    state: approvalState,
    createdAt: timestamp,
    expiresAt: timestamp,
    answeredAt: timestamp.nullable(),
  })
  .meta({
    id: "Approval",
    description: "What a run asks its person. Its words are the run's: of a tainted run they may be a stranger's.",
    examples: [
      {
        id: ids.approval,
        runId: ids.run,
        botId: ids.bot,
        conversationId: ids.conversation,
        kind: "memory",
        question: null,
        reason: null,
        memory: {
          ...{ scope, kind, subject, value, confidence, validTo },
          subjectKind: "organisation",
          lawfulBasis: "legitimate_interests",
        },
        run: null,
        state: "pending",
        createdAt: times.created,
        expiresAt: times.inAWeek,
        answeredAt: null,
      },
    ],
  });

export const approvals = [
  operation({
    name: "list_approvals",
    method: "get",
    path: "/approvals",
    scope: "read",
    status: 200,
    summary: "List what the key's person is asked",
    description:
      "Cards of the person's own runs, answered or not. They are answered on the page behind the mailed link.",
    query: z.object({
      ...paging,
      runId: uuid.optional().meta({ description: "Only cards of this run." }),
      state: approvalState.optional().meta({ description: "Only cards in this state." }),
    }),
    list: true,
    reply: page(Approval),
  }),
  operation({
    name: "get_approval",
    method: "get",
    path: "/approvals/{id}",
    scope: "read",
    status: 200,
    summary: "Read what the key's person is asked",
    description:
      "As the webhook `approval.needed` names it. `not_found` for a card of anybody else, whatever their role.",
    pointRead: true,
    reply: Approval,
    refusals: ["not_found"],
  }),
];
