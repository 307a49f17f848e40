import type { components } from "../../client/generated/schema.ts";

/** Every kind, by its type. Titles say when the event is sent. */
export const eventKinds: Record<components["schemas"]["EventKind"], string> = {
  "run.started": "a run starts",
  "run.blocked": "a run is blocked",
  "run.finished": "a run ends",
  "approval.needed": "a run needs an approval",
  "memory.created": "a memory is created",
  "memory.updated": "a memory is changed",
  "memory.deleted": "a memory is deleted",
  "key.created": "a key is created",
  "key.expiring": "a key expires soon",
  "key.revoked": "a key is revoked",
  "member.added": "a member is added",
  "member.removed": "a member is removed",
  "member.role_changed": "a member's role changes",
  "invitation.accepted": "an invitation is accepted",
  "endpoint.disabled": "an endpoint is disabled",
  "organisation.limit_reached": "a limit is reached",
  "webhook.test": "the endpoint is tested",
};
