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
    invitedBy: uuid.meta({ description: "`userId` of the member who sent the invitation." }),
    createdAt: timestamp,
    expiresAt: timestamp,
    acceptedAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
  })
  .meta({
    id: "Invitation",
    description: "An invitation. The link is sent by mail only and never returned.",
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
  .meta({ description: "Returns only invitations in this state. `open` ones can still be accepted." });

export const invitations = [
  operation({
    name: "list_invitations",
    method: "get",
    path: "/invitations",
    scope: "read",
    status: 200,
    summary: "List invitations",
    searchTerms:
      "pending, sent, users, members, people, clicked, answered, has not joined, not joined yet, still open, " +
      "not accepted, who has not accepted, did they accept",
    description: "Lists open invitations by default. Returns `forbidden` in a personal organisation.",
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
    inPerson: true,
    status: 201,
    summary: "Create invitation",
    searchTerms:
      "add a user, colleague, member, person, people, team, onboard, give access, hire, new employee, let in, " +
      "let someone in, bring in, register, new person, trainee, new girl, new guy, new man, new woman, " +
      "accounting, sales, department",
    description:
      "Invites a person by mail, with a link that is valid for 7 days. The service retries the mail until the mail server " +
      "accepts it. An " +
      "open invitation uses a seat. Addresses are compared in lower case.",
    body: NewInvitation,
    reply: Invitation,
    secret: "invitation-token",
    location: "/invitations/",
    reasons: ["personal_organisation", "billing_inactive", "bought_seats_taken", "member_exists", "invitation_open"],
  }),
  operation({
    name: "get_invitation",
    method: "get",
    path: "/invitations/{id}",
    scope: "read",
    status: 200,
    summary: "Retrieve invitation",
    searchTerms:
      "status, pending, accepted, clicked, answered, did she join, has he accepted, did they accept, not yet",
    description: "Returns an invitation, also an accepted, revoked or expired one.",
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
    inPerson: true,
    status: 200,
    summary: "Resend invitation",
    searchTerms: "renew, link expired",
    description:
      "Mails a new link that is valid for 7 days, and ends the old link. An expired invitation becomes open and " +
      "uses a seat again.",
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
    ],
  }),
  operation({
    name: "revoke_invitation",
    method: "delete",
    path: "/invitations/{id}",
    scope: "admin",
    status: 200,
    summary: "Revoke invitation",
    searchTerms: "delete, take back, undo, wrong address, by mistake, changed our mind, wrong person",
    description:
      "Ends the link and frees the seat. Revoking a revoked invitation changes nothing. To undo an accepted " +
      "invitation, remove the member.",
    reply: Invitation,
    refusals: ["not_found"],
    reasons: ["personal_organisation", "invitation_accepted"],
  }),
];
