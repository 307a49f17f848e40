/** Opt-in events of members, invitations and keys. (docs/specification/events.md#opt-in) */
import { z } from "zod";
import { event } from "./event-definition.ts";
import { timestamp, uuid } from "./fields.ts";
import { keyScope } from "./key-fields.ts";
import { memberRole } from "./members.ts";

const member = z.object({ userId: uuid, role: memberRole });

export const memberAdded = event({
  kind: "member.added",
  id: "MemberAdded",
  description: "Sent when a person becomes a member.",
  data: member,
});

export const memberRemoved = event({
  kind: "member.removed",
  id: "MemberRemoved",
  description: "Sent when a member is removed, with the last role.",
  data: member,
});

export const memberRoleChanged = event({
  kind: "member.role_changed",
  id: "MemberRoleChanged",
  description: "Sent when a member gets another role, with the new one.",
  data: member,
});

export const invitationAccepted = event({
  kind: "invitation.accepted",
  id: "InvitationAccepted",
  description: "Sent when a person accepts an invitation. `member.added` follows from the same moment.",
  data: member.extend({ invitationId: uuid.meta({ description: "Id of the invitation." }) }),
});

const key = z.object({
  keyId: uuid.meta({ description: "Id of the API key." }),
  scope: keyScope,
  userId: uuid.meta({ description: "Id of the person whose key it is." }),
});

export const keyCreated = event({
  kind: "key.created",
  id: "KeyCreated",
  description: "Sent when a key is created, also by a rotation.",
  data: key,
});

export const keyRevoked = event({
  kind: "key.revoked",
  id: "KeyRevoked",
  description: "Sent when a key is revoked. A key that expires, or that a rotation ends, is not revoked.",
  data: key,
});

export const keyExpiring = event({
  kind: "key.expiring",
  id: "KeyExpiring",
  description:
    "Sent once, 7 days before a key expires; an operator can change the time. Not sent for a key that was rotated or " +
    "revoked, or whose life is not longer than that.",
  data: key.extend({ expiresAt: timestamp }),
});
