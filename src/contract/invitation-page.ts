/** Operations of the invitation page. They are not part of the API: the credential is the token in the mailed link. */
import { z } from "zod";
import { timestamp } from "./fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";

const InvitationShown = z.object({
  state: z.enum(["open", "accepted", "revoked", "expired"]),
  organisation: z.string(),
  invitedBy: z.string().nullable(),
  role: z.enum(["admin", "member"]),
  email: z.string(),
  expiresAt: timestamp,
});

export type InvitationShown = z.infer<typeof InvitationShown>;

export const readInvitation = operation({
  name: "read_invitation",
  method: "get",
  path: "/invitation/{token}",
  keyClass: "invitation",
  scope: "read",
  status: 200,
  summary: "Read invitation",
  description: "Reading changes nothing.",
  pointRead: true,
  reply: InvitationShown,
});

export const acceptInvitation = operation({
  name: "accept_invitation",
  method: "post",
  path: "/invitation/{token}",
  keyClass: "invitation",
  scope: "write",
  status: 200,
  summary: "Accept invitation",
  description: "Makes the invited person a member.",
  body: z.object({ displayName: name(120) }),
  reply: InvitationShown,
  refusals: ["conflict"],
});
