/** Invitations. (docs/specification/invitations.md) */
import { z } from "zod";
import { email } from "./email.ts";
import { ids, times } from "./examples.ts";
import { emailShown, page, paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const role = z.enum(["admin", "member"]);

const Invitation = z
  .object({
    id: uuid,
    email: emailShown,
    role,
    invitedBy: uuid.meta({ description: "The `userId` of the member who invited." }),
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
    reasons: ["personal_organisation"],
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
      "`payment_required` without a trial, a payment or a seat left of those bought. `quota_exceeded` at the limit of " +
      "open invitations (50) or of seats (200), and at the limits of invitation mails: 200 in an hour, 5 to one address in a " +
      "day. An operator may raise each.",
    body: NewInvitation,
    reply: Invitation,
    secret: "invitation-token",
    location: "/invitations/",
    reasons: [
      "personal_organisation",
      "billing_inactive",
      "bought_seats_taken",
      "member_exists",
      "invitation_open",
      "limit_open_invitations",
      "limit_seats",
      "limit_invitations_per_hour",
      "limit_invitations_to_address",
    ],
  }),
  operation({
    name: "get_invitation",
    method: "get",
    path: "/invitations/{id}",
    scope: "read",
    status: 200,
    summary: "Read an invitation",
    description: "Also one that was accepted, revoked or has expired.",
    pointRead: true,
    reply: Invitation,
    refusals: ["not_found"],
    reasons: ["personal_organisation"],
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
    refusals: ["not_found"],
    reasons: [
      "personal_organisation",
      "billing_inactive",
      "bought_seats_taken",
      "invitation_accepted",
      "invitation_revoked",
      "member_exists",
      "invitation_open",
      "limit_open_invitations",
      "limit_seats",
      "limit_invitations_per_hour",
      "limit_invitations_to_address",
    ],
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
    refusals: ["not_found"],
    reasons: ["personal_organisation", "invitation_accepted"],
  }),
];
