/** Values of the filters of lists, as the database spells them. */
import { eventKinds } from "../../parts/event-kinds.ts";
import type { ListFilter } from "./list-state.ts";

const filter = (name: string, label: string, values: string[]): ListFilter => ({
  name,
  label,
  options: values.map((value) => ({ value, title: value.replaceAll("_", " ") })),
});

const yesNo = [
  { value: "true", title: "yes" },
  { value: "false", title: "no" },
];

const events = Object.keys(eventKinds);

export const roleFilter = filter("role", "Role", ["owner", "admin", "member"]);
export const keyFilters = [
  filter("state", "State", ["live", "expired", "revoked"]),
  filter("scope", "Scope", ["read", "write", "admin"]),
];
export const endpointFilters = [filter("status", "State", ["active", "failing", "paused", "disabled", "deleted"])];
export const deliveryFilters = [
  filter("state", "State", ["pending", "delivered", "failed"]),
  filter("event", "Event", events),
  filter("trigger", "Trigger", ["scheduled", "manual"]),
];
export const eventFilters = [filter("kind", "Event", events)];
export const runFilters = [
  filter("state", "State", [
    "queued",
    "running",
    "waiting_approval",
    "blocked",
    "paused_limit",
    "completed",
    "failed",
    "cancelled",
  ]),
  filter("trigger", "Trigger", ["api", "message", "routine", "webhook"]),
  { name: "taint", label: "Tainted", options: yesNo },
];
export const approvalFilters = [
  filter("state", "State", ["pending", "approved", "refused", "expired", "withdrawn"]),
  filter("kind", "Kind", ["question", "memory", "run"]),
];
export const invitationFilters = [filter("state", "State", ["open", "accepted", "revoked", "expired"]), roleFilter];
export const mailKindFilter = filter("kind", "Kind", [
  "welcome",
  "invitation",
  "endpoint_disabled",
  "approval",
  "key_expiring",
]);
export const mailFilters = [filter("state", "State", ["waiting", "sent"]), mailKindFilter];
export const botFilters = [
  filter("state", "State", ["live", "deleted"]),
  filter("visibility", "Visibility", ["team", "personal"]),
];
export const automationFilters = [filter("status", "State", ["active", "paused", "deleted"])];
export const erasureFilters = [
  filter("subjectKind", "Subject", ["organisation", "member", "third_party"]),
  { name: "complete", label: "Complete", options: yesNo },
];
export const restrictionFilters = [filter("change", "Change", ["restricted", "allowed"])];
export const organisationFilters = [
  filter("state", "State", ["active", "suspended"]),
  filter("billingState", "Billing", ["trial", "active", "none"]),
  filter("kind", "Kind", ["team", "personal"]),
];
export const auditFilters = [
  filter("action", "Action", ["created", "updated", "deleted"]),
  filter("actor", "Actor", [
    "key",
    "platform_key",
    "portal_session",
    "invitation",
    "approval",
    "hook",
    "executor",
    "worker",
    "operator",
    "system",
  ]),
];
