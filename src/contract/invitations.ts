/** Invitations. (Part 2, "Invitation"; part 4, "Members and invitations".) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { email, emailShown, page, paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const role = z.enum(["admin", "member"]);

const Invitation = z
  .object({
    id: uuid,
    email: emailShown,
    role,
    invitedBy: uuid.meta({ description: "The `userId` of whoever invited." }),
    createdAt: timestamp,
    expiresAt: timestamp,
    acceptedAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
  })
  .meta({
    id: "Invitation",
    description: "It never carries the link: that goes to the invitee, by mail alone.",
    examples: [
      {
        id: ids.invitation,
        email: "nora@harbour.example",
        role: "member",
        invitedBy: ids.owner,
        createdAt: times.created,
        expiresAt: times.inAWeek,
        acceptedAt: null,
        revokedAt: null,
      },
    ],
  });

const NewInvitation = z
  .object({ email, role: role.default("member") })
  .meta({ id: "NewInvitation", examples: [{ email: "nora@harbour.example", role: "member" }] });

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
    description: "`forbidden` in a personal organisation.",
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
    description:
      "The mail is sent shortly after, and again until it is taken. An open invitation takes a seat. `conflict` when the " +
      "address belongs to a member or has an open invitation already, in whatever case it is written. " +
      "`payment_required` without a trial, a payment or a seat left of those bought. `quota_exceeded` at the ceiling of " +
      "open invitations (50) or of seats (200), which an operator may raise; and when within an hour twice as many were mailed " +
      "as may be open, or five to this address.",
    body: NewInvitation,
    reply: Invitation,
    secret: "invitation-token",
    location: "/invitations/",
    refusals: ["forbidden", "payment_required", "conflict", "quota_exceeded"],
  }),
  operation({
    name: "resend_invitation",
    method: "post",
    path: "/invitations/{id}/resend",
    scope: "admin",
    status: 200,
    summary: "Send an invitation again, with a new link that is good for seven days; the old link ends",
    description:
      "Also brings an expired invitation back, which takes its seat again. `conflict` when it was accepted or revoked. " +
      "`quota_exceeded` as for a new one.",
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
    description:
      "Its link ends and its seat is free. Revoking twice changes nothing. `conflict` when it was accepted: remove the " +
      "member instead.",
    reply: Invitation,
    refusals: ["not_found", "forbidden", "conflict"],
  }),
];
