/** Values of the filters of lists. The contract lists most of them; the others are spelled here as in the database. */

import { enumerations } from "../../../contract/enumerations.ts";
import { eventKinds } from "../../../contract/event-kinds.ts";
import type { ListFilter } from "./list-state.ts";

const filter = (name: string, label: string, values: readonly string[]): ListFilter => ({
  name,
  label,
  options: values.map((value) => ({ value, title: value.replaceAll("_", " ") })),
});

const yesNo = [
  { value: "true", title: "yes" },
  { value: "false", title: "no" },
];

const events = Object.keys(eventKinds);

export const roleFilter = filter("role", "Role", enumerations.MemberRole);
export const keyFilters = [
  filter("state", "State", enumerations.KeyState),
  filter("scope", "Scope", enumerations.KeyScope),
];
export const endpointFilters = [filter("status", "State", ["active", "failing", "paused", "disabled", "deleted"])];
export const deliveryFilters = [
  filter("state", "State", enumerations.DeliveryState),
  filter("event", "Event", events),
  filter("trigger", "Trigger", ["scheduled", "manual"]),
];
export const eventFilters = [filter("kind", "Event", events)];
export const runFilters = [
  filter("state", "State", enumerations.RunState),
  filter("trigger", "Trigger", enumerations.RunTrigger),
  { name: "taint", label: "Tainted", options: yesNo },
];
export const approvalFilters = [
  filter("state", "State", enumerations.ApprovalState),
  filter("kind", "Kind", enumerations.ApprovalKind),
];
export const invitationFilters = [filter("state", "State", ["open", "accepted", "revoked", "expired"]), roleFilter];
export const mailKindFilter = filter("kind", "Kind", [
  "welcome",
  "invitation",
  "endpoint_disabled",
  "audit_stream_disabled",
  "approval",
  "key_expiring",
]);
export const mailFilters = [filter("state", "State", ["waiting", "sent"]), mailKindFilter];
export const botFilters = [
  filter("state", "State", ["live", "deleted"]),
  filter("visibility", "Visibility", enumerations.BotVisibility),
];
export const automationFilters = [filter("status", "State", ["active", "paused", "deleted"])];
export const erasureFilters = [
  filter("subjectKind", "Subject", enumerations.SubjectKind),
  { name: "complete", label: "Complete", options: yesNo },
];
export const restrictionFilters = [filter("change", "Change", ["restricted", "allowed"])];
export const organisationFilters = [
  filter("state", "State", ["active", "suspended"]),
  filter("billingState", "Billing", enumerations.BillingState),
  filter("kind", "Kind", enumerations.OrganisationKind),
];
export const auditFilters = [
  filter("action", "Action", enumerations.AuditAction),
  filter("actor", "Actor", enumerations.AuditActor),
];
