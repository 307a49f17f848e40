/** Opt-in events of members, invitations and keys. (docs/specification/events.md#opt-in) */
import { z } from "zod";
import { event } from "./event-definition.ts";
import { ids, times } from "./examples.ts";
import { timestamp, uuid } from "./fields.ts";
import { keyScope } from "./key-fields.ts";
import { memberRole } from "./members.ts";

const member = z.object({ userId: uuid, role: memberRole });
const exampleMember = { userId: ids.member, role: "admin" as const };

export const memberAdded = event({
  kind: "member.added",
  id: "MemberAdded",
  isSubscribable: true,
  summary: "A member has joined",
  description: "Sent when a person becomes a member.",
  data: member,
  example: exampleMember,
});

export const memberRemoved = event({
  kind: "member.removed",
  id: "MemberRemoved",
  isSubscribable: true,
  summary: "A member was removed",
  description: "Sent when a member is removed, with the last role.",
  data: member,
  example: exampleMember,
});

export const memberRoleChanged = event({
  kind: "member.role_changed",
  id: "MemberRoleChanged",
  isSubscribable: true,
  summary: "The role of a member has changed",
  description: "Sent when a member gets another role, with the new one.",
  data: member,
  example: exampleMember,
});

export const invitationAccepted = event({
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

export const keyCreated = event({
  kind: "key.created",
  id: "KeyCreated",
  isSubscribable: true,
  summary: "An API key was created",
  description: "Sent when a key is created, also by a rotation.",
  data: key,
  example: exampleKey,
});

export const keyRevoked = event({
  kind: "key.revoked",
  id: "KeyRevoked",
  isSubscribable: true,
  summary: "An API key was revoked",
  description: "Sent when a key is revoked. A key that expires, or that a rotation ends, is not revoked.",
  data: key,
  example: exampleKey,
});

export const keyExpiring = event({
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
