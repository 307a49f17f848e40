/** What the page behind a mailed link asks of the database. Not part of the API: its credential is the link's token. */
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
  summary: "See an invitation",
  description: "Opening it changes nothing.",
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
  summary: "Accept an invitation",
  description: "Makes the invitee a member.",
  body: z.object({ displayName: name(120) }),
  reply: InvitationShown,
  refusals: ["conflict"],
});
