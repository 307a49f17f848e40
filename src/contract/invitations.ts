/** Invitations. (Part 2, "Invitation"; part 4, "Members and invitations".) */
import { z } from "zod";
import { email, page, paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const role = z.enum(["admin", "member"]);

const Invitation = z.object({
  id: uuid,
  email: z.string(),
  role,
  invitedBy: uuid,
  createdAt: timestamp,
  expiresAt: timestamp,
  acceptedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});

const status = z
  .enum(["open", "accepted", "revoked", "expired", "all"])
  .default("open")
  .meta({ description: "Which invitations; open ones live and wait for their answer." });

export const invitations = [
  operation({
    name: "list_invitations",
    method: "get",
    path: "/invitations",
    scope: "read",
    status: 200,
    summary: "List invitations, by default the open ones",
    query: z.object({ ...paging, status }),
    list: true,
    reply: page(Invitation),
    refusals: ["forbidden"],
  }),
  operation({
    name: "create_invitation",
    method: "post",
    path: "/invitations",
    scope: "admin",
    status: 201,
    summary: "Invite somebody by mail; the link in it is good for seven days",
    body: z.object({ email, role: role.default("member") }),
    reply: Invitation,
    secret: "invitation-token",
    refusals: ["forbidden", "payment_required", "conflict", "quota_exceeded"],
  }),
  operation({
    name: "resend_invitation",
    method: "post",
    path: "/invitations/{id}/resend",
    scope: "admin",
    status: 200,
    summary: "Send an invitation again, with a new link that is good for seven days; the old link ends",
    reply: Invitation,
    secret: "invitation-token",
    refusals: ["not_found", "forbidden", "payment_required", "conflict", "quota_exceeded"],
  }),
  operation({
    name: "revoke_invitation",
    method: "delete",
    path: "/invitations/{id}",
    scope: "admin",
    status: 200,
    summary: "Revoke an invitation",
    reply: Invitation,
    refusals: ["not_found", "forbidden", "conflict"],
  }),
];
