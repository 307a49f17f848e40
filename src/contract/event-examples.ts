/** Examples of events. Separate from the schemas, because pages do not load zod. */
import type { EventKind } from "./event-kinds.ts";
import { ids, times } from "./examples.ts";

const run = {
  runId: ids.run,
  botId: ids.bot,
  conversationId: ids.conversation,
  routineId: null,
  trigger: "api",
  taint: false,
};
const member = { userId: ids.member, role: "admin" };
const key = { keyId: ids.key, scope: "write", userId: ids.owner };
const deletion = { deletionAt: times.inAWeek };
const memory = { memoryId: ids.memory, botId: null };

/** Examples of `data` by event kind. */
export const eventData: Record<EventKind, object> = {
  "approval.needed": {
    approvalId: ids.approval,
    runId: ids.run,
    botId: ids.bot,
    conversationId: ids.conversation,
    kind: "memory",
    state: "pending",
    createdAt: times.created,
    expiresAt: times.inAWeek,
  },
  "audit_stream.disabled": { streamId: ids.auditStream, reason: "consecutive_failures" },
  "endpoint.disabled": { webhookId: ids.webhook, reason: "consecutive_failures" },
  "invitation.accepted": { invitationId: ids.invitation, ...member },
  "key.created": key,
  "key.expiring": { ...key, expiresAt: times.inAWeek },
  "key.revoked": key,
  "member.added": member,
  "member.removed": member,
  "member.role_changed": member,
  "memory.created": { ...memory, supersedes: null },
  "memory.deleted": memory,
  "memory.updated": memory,
  "organisation.deletion_cancelled": deletion,
  "organisation.deletion_scheduled": deletion,
  "organisation.limit_reached": { limit: "liveKeys", maximum: 20, used: 20 },
  "run.blocked": { ...run, state: "blocked", steps: 2, spendMicroCents: 0 },
  "run.finished": {
    runId: ids.run,
    botId: ids.bot,
    conversationId: ids.conversation,
    routineId: null,
    state: "completed",
    trigger: "api",
    steps: 2,
    spendMicroCents: 0,
    taint: false,
    finishedAt: times.finished,
  },
  "run.started": { ...run, state: "running" },
  "webhook.test": { webhookId: ids.webhook },
};

/** An example of a delivered body. */
export const eventExample = (kind: EventKind) => ({
  id: ids.delivery,
  event: kind,
  createdAt: times.finished,
  organisationId: ids.organisation,
  data: eventData[kind],
});
