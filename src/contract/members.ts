/** Members. (Part 2, "Member"; part 4, "Members and invitations".) */
import { z } from "zod";
import { Deleted, page, paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const role = z.enum(["owner", "admin", "member"]);

const Member = z.object({
  userId: uuid,
  email: z.string(),
  displayName: z.string().nullable(),
  role,
  createdAt: timestamp,
});

export const members = [
  operation({
    name: "list_members",
    method: "get",
    path: "/members",
    scope: "read",
    status: 200,
    summary: "List members",
    query: z.object(paging),
    list: true,
    reply: page(Member),
    refusals: ["forbidden"],
  }),
  operation({
    name: "get_member",
    method: "get",
    path: "/members/{userId}",
    scope: "read",
    status: 200,
    summary: "Read a member",
    pointRead: true,
    reply: Member,
    refusals: ["not_found", "forbidden"],
  }),
  operation({
    name: "change_member",
    method: "patch",
    path: "/members/{userId}",
    scope: "admin",
    status: 200,
    summary: "Change a member's role",
    body: z.object({ role }),
    reply: Member,
    refusals: ["not_found", "forbidden"],
  }),
  operation({
    name: "remove_member",
    method: "delete",
    path: "/members/{userId}",
    scope: "admin",
    status: 200,
    summary: "Remove a member; keys bound to them stop working",
    reply: Deleted,
    refusals: ["not_found", "forbidden"],
  }),
];
