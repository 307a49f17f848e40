/**
 * Event kinds that are stored only while an endpoint of the organisation subscribes to them. Most have a trigger in
 * sql/triggers/opt_in_events.sql; a limit and an expiry are announced by sql/limits and sql/jobs. (docs/specification/events.md#opt-in)
 */
import { z } from "zod";
import {
  invitationAccepted,
  keyCreated,
  keyExpiring,
  keyRevoked,
  memberAdded,
  memberRemoved,
  memberRoleChanged,
} from "./access-events.ts";
import { event } from "./event-definition.ts";
import type { OptInEventKind } from "./event-kinds.ts";
import { timestamp, uuid } from "./fields.ts";
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

const runStarted = event({
  kind: "run.started",
  id: "RunStarted",
  description:
    "Sent when an executor begins a run, once per run. A run that continues after a pause is not announced again.",
  data: z.object({ ...run, state: z.literal("running").meta({ description: "State of the run." }) }),
});

const runBlocked = event({
  kind: "run.blocked",
  id: "RunBlocked",
  description:
    "Sent each time a bot stops and needs its person to resume the run. `GET /runs/{id}/messages` has the reason.",
  data: z.object({
    ...run,
    state: z.literal("blocked").meta({ description: "State of the run." }),
    steps: z.int(),
    spendMicroCents: z.int(),
  }),
});

const endpointDisabled = event({
  kind: "endpoint.disabled",
  id: "EndpointDisabled",
  description: "Sent to the other endpoints that subscribe to it when an endpoint becomes `disabled`.",
  data: z.object({
    webhookId: uuid,
    reason: disabledReason.meta({ description: "Why it was disabled, as `disabledReason` of the endpoint." }),
  }),
});

const auditStreamDisabled = event({
  kind: "audit_stream.disabled",
  id: "AuditStreamDisabled",
  description: "Sent when the stream of the audit log becomes `disabled`.",
  data: z.object({
    streamId: uuid.meta({ description: "Id of the stream." }),
    reason: disabledReason.meta({ description: "Why it was disabled, as `disabledReason` of the stream." }),
  }),
});

const memory = z.object({
  memoryId: uuid.meta({ description: "Id of the memory." }),
  botId: uuid.nullable().meta({ description: "Id of the bot that the memory belongs to. Null for other scopes." }),
});

const memoryCreated = event({
  kind: "memory.created",
  id: "MemoryCreated",
  description: "Sent when a memory is created, by the API or by a run. Contains ids only.",
  data: memory.extend({
    supersedes: uuid.nullable().optional().meta({
      description: "Id of the memory that it replaces, which changes too. Null: none. Missing in older events.",
    }),
  }),
});

const memoryUpdated = event({
  kind: "memory.updated",
  id: "MemoryUpdated",
  description: "Sent when a memory has a new entry in its history. Contains ids only.",
  data: memory,
});

const memoryDeleted = event({
  kind: "memory.deleted",
  id: "MemoryDeleted",
  description: "Sent for each memory that is deleted: by a request, by an erasure, or with its bot. Contains ids only.",
  data: memory,
});

const limitReached = event({
  kind: "organisation.limit_reached",
  id: "OrganisationLimitReached",
  description:
    "Sent by the request that uses a limit up: the next one would be refused. It is sent again each time the limit is " +
    "used up again.",
  data: z.object({
    limit: z.string().meta({ description: "Name of the limit in `GET /me`. New limits may be added." }),
    maximum: z.int().meta({ description: "The maximum of the limit." }),
    used: z.int(),
  }),
});

const deletionScheduled = event({
  kind: "organisation.deletion_scheduled",
  id: "OrganisationDeletionScheduled",
  description:
    "Sent when an operator schedules the deletion of the organisation, 7 to 90 days ahead. Until then everything works as before, " +
    "and an owner can export the organisation.",
  data: z.object({
    deletionAt: timestamp.meta({ description: "When the organisation is deleted, as in `GET /organisation`." }),
  }),
});

const deletionCancelled = event({
  kind: "organisation.deletion_cancelled",
  id: "OrganisationDeletionCancelled",
  description: "Sent when an operator cancels the scheduled deletion of the organisation.",
  data: z.object({
    deletionAt: timestamp.meta({ description: "When the organisation would have been deleted." }),
  }),
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
  auditStreamDisabled,
  deletionScheduled,
  deletionCancelled,
] as const satisfies readonly { kind: OptInEventKind }[];
