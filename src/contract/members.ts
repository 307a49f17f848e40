/** Members. (docs/specification/members.md) */
import { z } from "zod";
import { email } from "./email.ts";
import { enumerations } from "./enumerations.ts";
import { ids, times } from "./examples.ts";
import { Deleted, emailShown, page, paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";
import { revisionIgnoring } from "./revision.ts";

export const memberRole = z.enum(enumerations.MemberRole).meta({
  id: "MemberRole",
  description: "`owner` and `admin` manage the organisation and hold its keys. An organisation always has an owner.",
});

const Member = z
  .object({
    userId: uuid,
    email: emailShown,
    displayName: z.string().nullable(),
    role: memberRole,
    createdAt: timestamp.meta({ description: "Time at which the person became a member." }),
  })
  .meta({
    id: "Member",
    examples: [
      {
        userId: ids.member,
        email: "max@harbour.example",
        displayName: "Max",
        role: "member",
        createdAt: times.created,
      },
    ],
  });

const MemberChanges = z.object({ role: memberRole }).meta({ id: "MemberChanges", examples: [{ role: "admin" }] });

const revision = revisionIgnoring();

export const members = [
  operation({
    name: "list_members",
    method: "get",
    path: "/members",
    scope: "read",
    status: 200,
    summary: "List members",
    searchTerms:
      "accounts, admins, owners, everyone, works here, who has access, who else, list of people, " +
      "belongs to us, who works with us, how many people, seats",
    description:
      "Lists the people of the organisation with their roles. Returns `forbidden` in a personal organisation.",
    query: z.object({
      ...paging,
      email: email.optional().meta({ description: "Returns only the member with this address." }),
    }),
    list: true,
    reply: page(Member),
    reasons: ["personal_organisation"],
  }),
  operation({
    name: "get_member",
    method: "get",
    path: "/members/{userId}",
    scope: "read",
    status: 200,
    summary: "Retrieve member",
    searchTerms:
      "account, e-mail address, permissions, what role has, is she an admin, what may she do, role of a person",
    description: "Returns the address, the name and the role of a person. The id is the person's `userId`.",
    pointRead: true,
    reply: Member,
    revision,
    refusals: ["not_found"],
    reasons: ["personal_organisation"],
  }),
  operation({
    name: "change_member",
    method: "patch",
    path: "/members/{userId}",
    scope: "admin",
    status: 200,
    summary: "Change member role",
    searchTerms:
      "permissions, rights, access, promote, demote, administrator, admin, owner, transfer ownership, " +
      "give access, may, manage, co-owner, make him, make her, boss, downgrade, successor, take away rights, " +
      "more rights, fewer rights, less access",
    description:
      "Changes the role of a person. An owner can change every role. An admin can change members and admins, and cannot " +
      "make anyone an owner. " +
      "Keys of a person who is no longer an owner or admin stop working at once.",
    body: MemberChanges,
    reply: Member,
    revision,
    refusals: ["not_found"],
    reasons: ["personal_organisation", "role_above_own", "member_above_own", "last_owner"],
  }),
  operation({
    name: "remove_member",
    method: "delete",
    path: "/members/{userId}",
    scope: "admin",
    status: 200,
    summary: "Remove member",
    searchTerms:
      "expel, exclude, offboard, leaves, access, former employee, kick, throw out, ban, fire, quit, " +
      "take access away, left the company, resigned, lock out, retired, no longer works here, " +
      "close the account, take away his access, contractor, done here, project is over, moved on",
    description:
      "Removes a person from the organisation. Keys of the person stop working. Deletes the person's personal bots and " +
      "cancels their runs that have not " +
      "ended.",
    reply: Deleted,
    refusals: ["not_found"],
    reasons: ["personal_organisation", "member_above_own", "own_membership"],
  }),
];
