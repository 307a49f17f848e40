/**
 * Event kinds that are stored only while an endpoint of the organisation subscribes to them. Most have a trigger in
 * sql/triggers/opt_in_events.sql; a limit and an expiry are announced by sql/limits and sql/jobs. (docs/specification/events.md#opt-in)
 */
import { z } from "zod";
import { event } from "./event-definition.ts";
import { ids, times } from "./examples.ts";
import { timestamp, uuid } from "./fields.ts";
import { keyScope } from "./keys.ts";
import { memberRole } from "./members.ts";
import { trigger } from "./run-fields.ts";

export const disabledReason = z.enum(["consecutive_failures", "gone", "operator"]);

const run = {
  runId: uuid,
  botId: uuid,
  conversationId: uuid,
  routineId: uuid.nullable(),
  trigger,
  taint: z.boolean().meta({ description: "Whether the run contains text from outside the organisation." }),
};
const exampleRun = {
  runId: ids.run,
  botId: ids.bot,
  conversationId: ids.conversation,
  routineId: null,
  trigger: "api" as const,
  taint: false,
};

const runStarted = event({
  kind: "run.started",
  id: "RunStarted",
  isSubscribable: true,
  summary: "A run has started",
  description:
    "Sent when an executor begins a run, once per run. A run that continues after a pause is not announced again.",
  data: z.object({ ...run, state: z.literal("running").meta({ description: "State of the run." }) }),
  example: { ...exampleRun, state: "running" },
});

const runBlocked = event({
  kind: "run.blocked",
  id: "RunBlocked",
  isSubscribable: true,
  summary: "A run is blocked",
  description:
    "Sent each time a bot stops and needs its person to resume the run. `GET /runs/{id}/messages` has the reason.",
  data: z.object({
    ...run,
    state: z.literal("blocked").meta({ description: "State of the run." }),
    steps: z.int(),
    spendMicroCents: z.int(),
  }),
  example: { ...exampleRun, state: "blocked", steps: 2, spendMicroCents: 0 },
});

const endpointDisabled = event({
  kind: "endpoint.disabled",
  id: "EndpointDisabled",
  isSubscribable: true,
  summary: "A webhook endpoint is disabled",
  description: "Sent to the other endpoints that subscribe to it when an endpoint becomes `disabled`.",
  data: z.object({
    webhookId: uuid,
    reason: disabledReason.meta({ description: "Why it was disabled, as `disabledReason` of the endpoint." }),
  }),
  example: { webhookId: ids.webhook, reason: "consecutive_failures" },
});

const member = z.object({ userId: uuid, role: memberRole });
const exampleMember = { userId: ids.member, role: "admin" as const };

const memberAdded = event({
  kind: "member.added",
  id: "MemberAdded",
  isSubscribable: true,
  summary: "A member has joined",
  description: "Sent when a person becomes a member.",
  data: member,
  example: exampleMember,
});

const memberRemoved = event({
  kind: "member.removed",
  id: "MemberRemoved",
  isSubscribable: true,
  summary: "A member was removed",
  description: "Sent when a member is removed, with the last role.",
  data: member,
  example: exampleMember,
});

const memberRoleChanged = event({
  kind: "member.role_changed",
  id: "MemberRoleChanged",
  isSubscribable: true,
  summary: "The role of a member has changed",
  description: "Sent when a member gets another role, with the new one.",
  data: member,
  example: exampleMember,
});

const invitationAccepted = event({
  kind: "invitation.accepted",
  id: "InvitationAccepted",
  isSubscribable: true,
  summary: "An invitation was accepted",
  description: "Sent when a person accepts an invitation. `member.added` follows from the same moment.",
  data: member.extend({ invitationId: uuid.meta({ description: "Id of the invitation." }) }),
  example: { invitationId: ids.invitation, ...exampleMember },
});

const key = z.object({
  keyId: uuid.meta({ description: "Id of the API key." }),
  scope: keyScope,
  userId: uuid.meta({ description: "Id of the person whose key it is." }),
});
const exampleKey = { keyId: ids.key, scope: "write" as const, userId: ids.owner };

const keyCreated = event({
  kind: "key.created",
  id: "KeyCreated",
  isSubscribable: true,
  summary: "An API key was created",
  description: "Sent when a key is created, also by a rotation.",
  data: key,
  example: exampleKey,
});

const keyRevoked = event({
  kind: "key.revoked",
  id: "KeyRevoked",
  isSubscribable: true,
  summary: "An API key was revoked",
  description: "Sent when a key is revoked. A key that expires, or that a rotation ends, is not revoked.",
  data: key,
  example: exampleKey,
});

const keyExpiring = event({
  kind: "key.expiring",
  id: "KeyExpiring",
  isSubscribable: true,
  summary: "An API key will expire soon",
  description:
    "Sent once, 7 days before a key expires; an operator can change the time. Not sent for a key that was rotated or " +
    "revoked, or whose life is not longer than that.",
  data: key.extend({ expiresAt: timestamp }),
  example: { ...exampleKey, expiresAt: times.inAWeek },
});

const memory = z.object({
  memoryId: uuid.meta({ description: "Id of the memory." }),
  botId: uuid.nullable().meta({ description: "Id of the bot that the memory belongs to. Null for other scopes." }),
});
const exampleMemory = { memoryId: ids.memory, botId: null };

const memoryCreated = event({
  kind: "memory.created",
  id: "MemoryCreated",
  isSubscribable: true,
  summary: "A memory was created",
  description: "Sent when a memory is created, by the API or by a run. Contains ids only.",
  data: memory,
  example: exampleMemory,
});

const memoryUpdated = event({
  kind: "memory.updated",
  id: "MemoryUpdated",
  isSubscribable: true,
  summary: "A memory was changed",
  description: "Sent when a memory has a new entry in its history. Contains ids only.",
  data: memory,
  example: exampleMemory,
});

const memoryDeleted = event({
  kind: "memory.deleted",
  id: "MemoryDeleted",
  isSubscribable: true,
  summary: "A memory was deleted",
  description: "Sent for each memory that is deleted: by a request, by an erasure, or with its bot. Contains ids only.",
  data: memory,
  example: exampleMemory,
});

const limitReached = event({
  kind: "organisation.limit_reached",
  id: "OrganisationLimitReached",
  isSubscribable: true,
  summary: "A limit of the organisation is reached",
  description:
    "Sent by the request that uses a limit up: the next one would be refused. It is sent again each time the limit is " +
    "used up again.",
  data: z.object({
    limit: z.string().meta({ description: "Name of the limit in `GET /me`. New limits may be added." }),
    maximum: z.int().meta({ description: "The maximum of the limit." }),
    used: z.int(),
  }),
  example: { limit: "liveKeys", maximum: 20, used: 20 },
});

export const optInEvents = [
  runStarted,
  runBlocked,
  endpointDisabled,
  memberAdded,
  memberRemoved,
  memberRoleChanged,
  invitationAccepted,
  keyCreated,
  keyRevoked,
  memoryCreated,
  memoryUpdated,
  memoryDeleted,
  limitReached,
  keyExpiring,
] as const;
