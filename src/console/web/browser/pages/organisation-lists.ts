/** The lists of an organisation: query, columns and actions of each. */

import { answerApproval, mintKey, resendInvitation, revokeKey } from "../actions/things.ts";
import { html } from "../html.ts";
import { organisationColumns } from "../parts/audit-log.ts";
import { actionsColumn, person, type Row, state, text, when } from "../parts/columns.ts";
import { organisationDeliveryColumns } from "../parts/deliveries.ts";
import { operatorActionColumns } from "../parts/operator-actions.ts";
import { linkTo } from "../parts/rows.ts";
import { runColumns } from "../parts/runs.ts";
import { automations } from "./organisation-automations.ts";
import type { List } from "./organisation-list.ts";

const keyState = ({ revokedAt, expiresAt }: Row): string =>
  revokedAt ? "revoked" : Date.parse(expiresAt) < Date.now() ? "expired" : "live";

/** By name of the tab. */
export const lists: Record<string, List> = {
  members: {
    title: "Members",
    query: "organisation-members",
    field: "members",
    none: "No members.",
    columns: [
      { head: "Person", long: true, cell: ({ personId, email }) => linkTo("people", personId, email) },
      text("Name", "displayName"),
      text("Role", "role"),
      when("Since", "createdAt"),
      actionsColumn(
        ({ role }) => (role === "member" ? [] : [mintKey]),
        ({ personId }) => ({ person: personId }),
        ({ email }) => html`A key that acts as <strong>${email}</strong>.`,
      ),
    ],
  },
  keys: {
    title: "Keys",
    query: "organisation-keys",
    field: "keys",
    none: "No keys.",
    columns: [
      text("Name", "name"),
      { head: "Prefix", cell: ({ prefix }) => html`<code>${prefix}</code>` },
      text("Scope", "scope"),
      state(keyState),
      person("Acts as", "creator"),
      when("Last used", "lastUsedAt", "never"),
      when("Expires", "expiresAt"),
      actionsColumn(
        (row) => (keyState(row) === "live" ? [revokeKey] : []),
        ({ id }) => ({ key: id }),
        ({ name, prefix }) => html`The key <strong>${name}</strong> with prefix <code>${prefix}</code>.`,
      ),
    ],
  },
  endpoints: {
    title: "Endpoints",
    query: "organisation-endpoints",
    field: "endpoints",
    none: "No endpoints.",
    columns: [
      { head: "Host", long: true, cell: ({ id, host }) => linkTo("endpoints", id, host) },
      text("Description", "description"),
      state((row) => (row.deletedAt ? "deleted" : row.state)),
      { head: "Consecutive failures", number: true, cell: ({ consecutiveFailures }) => consecutiveFailures },
      when("Degraded since", "degradedSince"),
      when("Last delivery", "lastDeliveryAt", "never"),
    ],
  },
  deliveries: {
    title: "Deliveries",
    query: "organisation-deliveries",
    field: "deliveries",
    none: "No deliveries.",
    columns: organisationDeliveryColumns,
  },
  runs: {
    title: "Runs",
    query: "organisation-runs",
    field: "runs",
    none: "No runs.",
    columns: runColumns,
  },
  approvals: {
    title: "Approvals",
    query: "organisation-approvals",
    field: "approvals",
    none: "No approvals.",
    columns: [
      { head: "Kind", cell: ({ kind, runId }) => linkTo("runs", runId, kind) },
      state(),
      person("Person", "person"),
      { head: "Emailed", cell: ({ mailed }) => (mailed ? "yes" : "no") },
      when("Created", "createdAt"),
      when("Expires", "expiresAt"),
      when("Answered", "answeredAt"),
      actionsColumn(
        (row) => (row.state === "expired" ? answerApproval : []),
        ({ id }) => ({ approval: id }),
        ({ kind, person: recipient }) =>
          html`An approval (${kind}) that <strong>${recipient?.email}</strong> did not answer in time.`,
      ),
    ],
  },
  invitations: {
    title: "Invitations",
    query: "organisation-invitations",
    field: "invitations",
    none: "No invitations.",
    columns: [
      text("To", "email"),
      text("Role", "role"),
      state(),
      person("Invited by", "inviter"),
      when("Created", "createdAt"),
      when("Expires", "expiresAt"),
      actionsColumn(
        (row) => (["open", "expired"].includes(row.state) ? [resendInvitation] : []),
        ({ id }) => ({ invitation: id }),
        ({ email }) => html`The invitation for <strong>${email}</strong>.`,
      ),
    ],
  },
  ...automations,
  email: {
    title: "Email",
    query: "organisation-mails",
    field: "mails",
    none: "No emails.",
    columns: [
      text("Kind", "kind"),
      text("To", "recipient"),
      state((row) => (row.sentAt ? "sent" : "waiting")),
      when("Created", "createdAt"),
      when("Sent", "sentAt"),
    ],
  },
  "audit-log": {
    title: "Audit log",
    query: "organisation-audit-log",
    field: "auditLog",
    none: "No audit log entries.",
    columns: organisationColumns,
  },
  "operator-actions": {
    title: "Operator actions",
    query: "organisation-operator-actions",
    field: "operatorActions",
    none: "No operator actions.",
    columns: operatorActionColumns,
  },
  erasures: {
    title: "Erasures",
    query: "organisation-erasures",
    field: "erasures",
    none: "No erasures.",
    columns: [
      text("Subject", "subjectKind"),
      { head: "Memories", number: true, cell: ({ memories }) => memories },
      { head: "Former versions", number: true, cell: ({ history }) => history },
      { head: "Proposals", number: true, cell: ({ proposals }) => proposals },
      { head: "Answers", number: true, cell: ({ answers }) => answers },
      { head: "Complete", cell: ({ complete }) => (complete ? "yes" : "data remains") },
      when("Time", "erasedAt"),
    ],
  },
};
