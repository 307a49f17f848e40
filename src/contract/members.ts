/** Members. (docs/specification/members.md) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { Deleted, emailShown, page, paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

export const memberRole = z.enum(["owner", "admin", "member"]).meta({ id: "MemberRole" });

const Member = z
  .object({
    userId: uuid,
    email: emailShown,
    displayName: z.string().nullable(),
    role: memberRole,
    createdAt: timestamp.meta({ description: "Since when they belong to the organisation." }),
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

export const members = [
  operation({
    name: "list_members",
    method: "get",
    path: "/members",
    scope: "read",
    status: 200,
    summary: "List members",
    description: "Everybody in the organisation. `forbidden` in a personal organisation, which is one person's.",
    query: z.object(paging),
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
    summary: "Read a member",
    description: "One person, by their `userId`.",
    pointRead: true,
    reply: Member,
    refusals: ["not_found"],
    reasons: ["personal_organisation"],
  }),
  operation({
    name: "change_member",
    method: "patch",
    path: "/members/{userId}",
    scope: "admin",
    status: 200,
    summary: "Change a member's role",
    description:
      "Owners change anybody; admins change members and admins, and make nobody an owner. The last owner stays one. " +
      "Keys of somebody who is no longer an admin or an owner stop working at once.",
    body: MemberChanges,
    reply: Member,
    refusals: ["not_found"],
    reasons: ["personal_organisation", "role_above_own", "member_above_own", "last_owner"],
  }),
  operation({
    name: "remove_member",
    method: "delete",
    path: "/members/{userId}",
    scope: "admin",
    status: 200,
    summary: "Remove a member; keys bound to them stop working",
    description:
      "Admins do not remove an owner, nobody removes themself, and the last owner stays: all `forbidden`. The personal bots " +
      "of the removed member are deleted, and their runs that have not ended are cancelled.",
    reply: Deleted,
    refusals: ["not_found"],
    reasons: ["personal_organisation", "member_above_own", "own_membership"],
  }),
];
