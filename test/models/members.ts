/** Model of members and their roles. (docs/specification/members.md) */
import fc from "fast-check";
import type { Do, Model } from "./model.ts";

type Role = "owner" | "admin" | "member";
/** By person, in the order in which they joined; null after a removal. Each has a key of scope admin. */
type Members = { roles: (Role | null)[] };

export type MemberAction =
  | Do<"change", { by: number; member: number; role: Role }>
  | Do<"remove", { by: number; member: number }>
  | Do<"use", { by: number }>;

export const firstRoles: Role[] = ["owner", "admin", "admin", "member"];
const person = fc.nat(firstRoles.length - 1);

export const membersModel: Model<Members, MemberAction> = {
  start: () => ({ roles: [...firstRoles] }),
  actions: fc.oneof(
    fc.record({
      ...{ do: fc.constant("change" as const), by: person, member: person },
      role: fc.constantFrom<Role>("owner", "admin", "member"),
    }),
    fc.record({ do: fc.constant("remove" as const), by: person, member: person }),
    fc.record({ do: fc.constant("use" as const), by: person }),
  ),
  applies: () => true,
  next({ roles }, action) {
    const caller = roles[action.by];
    if (caller !== "owner" && caller !== "admin") return "401"; // keys work for owners and admins alone
    if (action.do === "use") return "200";
    const role = roles[action.member];
    if (action.do === "remove" && action.by === action.member) return "403 own_membership";
    if (!role) return "404";
    if (action.do === "change" && caller === "admin" && action.role === "owner") return "403 role_above_own";
    if (caller === "admin" && role === "owner") return "403 member_above_own";
    const isLastOwner = role === "owner" && roles.filter((each) => each === "owner").length === 1;
    if (action.do === "change" && isLastOwner && action.role !== "owner") return "403 last_owner";
    roles[action.member] = action.do === "change" ? action.role : null;
    return "200";
  },
  shown: ({ roles }) => roles,
};
