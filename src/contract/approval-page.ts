/** Operations of the approval page. They are not part of the API: the credential is the token in the mailed link. */
import { z } from "zod";
import { approvalKind, approvalState, comment, ProposedMemory } from "./approvals.ts";
import { timestamp } from "./fields.ts";
import { operation } from "./operation.ts";

const ApprovalShown = z.object({
  state: approvalState,
  kind: approvalKind,
  organisation: z.string(),
  bot: z.string(),
  question: z.string().nullable(),
  reason: z.string().nullable(),
  memory: ProposedMemory.nullable(),
  run: z.object({ bot: z.string().nullable(), message: z.string() }).nullable(),
  taint: z.boolean(),
  startedAt: timestamp,
  /** The first 1,000 characters of the run's first message. */
  began: z.string().nullable(),
  expiresAt: timestamp,
  answeredAt: timestamp.nullable(),
  comment: comment.nullable(),
});

export type ApprovalShown = z.infer<typeof ApprovalShown>;

export const readApproval = operation({
  name: "read_approval",
  method: "get",
  path: "/approval/{token}",
  keyClass: "approval",
  scope: "read",
  status: 200,
  summary: "Read approval",
  description: "Reading changes nothing.",
  pointRead: true,
  reply: ApprovalShown,
  refusals: ["forbidden"],
});

export const answerApproval = operation({
  name: "answer_approval",
  method: "post",
  path: "/approval/{token}",
  keyClass: "approval",
  scope: "write",
  status: 200,
  summary: "Answer approval",
  description: "Once.",
  body: z.object({ answer: z.enum(["approved", "refused"]), comment: comment.optional() }),
  reply: ApprovalShown,
  refusals: ["forbidden", "conflict", "not_found", "payment_required", "quota_exceeded", "unavailable"],
});
