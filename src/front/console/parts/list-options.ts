/** Values of the filters of lists, as the database spells them. The API's types check the values that it has too. */

import { eventKinds } from "../../../client/generated/event-kinds.ts";
import type { components } from "../../../client/generated/schema.ts";
import type { ListFilter } from "./list-state.ts";

type Schemas = components["schemas"];

const filter = (name: string, label: string, values: readonly string[]): ListFilter => ({
  name,
  label,
  options: values.map((value) => ({ value, title: value.replaceAll("_", " ") })),
});

/** The values, which must be all of the type. */
const allOf =
  <Value extends string>() =>
  <const Values extends readonly Value[]>(
    values: Values & ([Value] extends [Values[number]] ? unknown : never),
  ): readonly string[] =>
    values;

const yesNo = [
  { value: "true", title: "yes" },
  { value: "false", title: "no" },
];

const events = Object.keys(eventKinds);

export const roleFilter = filter("role", "Role", allOf<Schemas["MemberRole"]>()(["owner", "admin", "member"]));
export const keyFilters = [
  filter("state", "State", allOf<Schemas["KeyState"]>()(["live", "expired", "revoked"])),
  filter("scope", "Scope", allOf<Schemas["KeyScope"]>()(["read", "write", "admin"])),
];
export const endpointFilters = [filter("status", "State", ["active", "failing", "paused", "disabled", "deleted"])];
export const deliveryFilters = [
  filter("state", "State", allOf<Schemas["DeliveryState"]>()(["pending", "delivered", "failed"])),
  filter("event", "Event", events),
  filter("trigger", "Trigger", allOf<Schemas["Attempt"]["trigger"]>()(["scheduled", "manual"])),
];
export const eventFilters = [filter("kind", "Event", events)];
export const runFilters = [
  filter(
    "state",
    "State",
    allOf<Schemas["RunState"]>()([
      "queued",
      "running",
      "waiting_approval",
      "blocked",
      "paused_limit",
      "completed",
      "failed",
      "cancelled",
    ]),
  ),
  filter("trigger", "Trigger", allOf<Schemas["RunTrigger"]>()(["api", "message", "routine", "webhook"])),
  { name: "taint", label: "Tainted", options: yesNo },
];
export const approvalFilters = [
  filter(
    "state",
    "State",
    allOf<Schemas["ApprovalState"]>()(["pending", "approved", "refused", "expired", "withdrawn"]),
  ),
  filter("kind", "Kind", allOf<Schemas["ApprovalKind"]>()(["question", "memory", "run"])),
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
  filter("visibility", "Visibility", allOf<Schemas["BotVisibility"]>()(["team", "personal"])),
];
export const automationFilters = [filter("status", "State", ["active", "paused", "deleted"])];
export const erasureFilters = [
  filter("subjectKind", "Subject", ["organisation", "member", "third_party"]),
  { name: "complete", label: "Complete", options: yesNo },
];
export const restrictionFilters = [filter("change", "Change", ["restricted", "allowed"])];
export const organisationFilters = [
  filter("state", "State", ["active", "suspended"]),
  filter("billingState", "Billing", allOf<Schemas["BillingState"]>()(["trial", "active", "none"])),
  filter("kind", "Kind", allOf<Schemas["OrganisationKind"]>()(["team", "personal"])),
];
export const auditFilters = [
  filter("action", "Action", allOf<Schemas["AuditAction"]>()(["created", "updated", "deleted"])),
  filter(
    "actor",
    "Actor",
    allOf<Schemas["AuditActor"]>()([
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
  ),
];
