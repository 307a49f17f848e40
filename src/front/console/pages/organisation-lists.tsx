/** The lists of an organisation: query, columns and actions of each. */

import { answerApproval, mintKey, resendInvitation, revokeKey } from "../actions/things.tsx";
import { organisationColumns } from "../parts/audit-log.tsx";
import { actionsColumn, person, type Row, state, text, when } from "../parts/columns.tsx";
import { organisationDeliveryColumns } from "../parts/deliveries.tsx";
import { EndpointName, stateOfEndpoint } from "../parts/endpoints.tsx";
import { operatorActionColumns } from "../parts/operator-actions.tsx";
import { linkTo } from "../parts/rows.tsx";
import { runColumns } from "../parts/runs.tsx";
import { automations } from "./organisation-automations.tsx";
import type { List } from "./organisation-list.tsx";

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
      {
        key: "person",
        title: "Person",
        long: true,
        sortBy: ({ email }) => email,
        render: ({ personId, email }) => linkTo("people", personId, email),
      },
      text("Name", "displayName"),
      text("Role", "role"),
      when("Since", "createdAt"),
      actionsColumn(
        ({ role }) => (role === "member" ? [] : [mintKey]),
        ({ personId }) => ({ person: personId }),
        ({ email }) => (
          <>
            A key that acts as <strong>{email}</strong>.
          </>
        ),
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
      { key: "prefix", title: "Prefix", sortBy: ({ prefix }) => prefix, render: ({ prefix }) => <code>{prefix}</code> },
      text("Scope", "scope"),
      state(keyState),
      person("Acts as", "creator"),
      when("Last used", "lastUsedAt", "never"),
      when("Expires", "expiresAt"),
      actionsColumn(
        (row) => (keyState(row) === "live" ? [revokeKey] : []),
        ({ id }) => ({ key: id }),
        ({ name, prefix }) => (
          <>
            The key <strong>{name}</strong> with prefix <code>{prefix}</code>.
          </>
        ),
      ),
    ],
  },
  endpoints: {
    title: "Endpoints",
    query: "organisation-endpoints",
    field: "endpoints",
    none: "No endpoints.",
    columns: [
      {
        key: "host",
        title: "Host",
        long: true,
        sortBy: ({ host, description }) => `${host} ${description ?? ""}`,
        render: (endpoint) => <EndpointName {...endpoint} />,
      },
      state(stateOfEndpoint),
      {
        key: "consecutive-failures",
        title: "Consecutive failures",
        number: true,
        sortBy: ({ consecutiveFailures }) => consecutiveFailures,
        render: ({ consecutiveFailures }) => consecutiveFailures,
      },
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
      {
        key: "kind",
        title: "Kind",
        sortBy: ({ kind }) => kind,
        render: ({ kind, runId }) => linkTo("runs", runId, kind),
      },
      state(),
      person("Person", "person"),
      {
        key: "emailed",
        title: "Emailed",
        sortBy: ({ mailed }) => (mailed ? "yes" : "no"),
        render: ({ mailed }) => (mailed ? "yes" : "no"),
      },
      when("Created", "createdAt"),
      when("Expires", "expiresAt"),
      when("Answered", "answeredAt"),
      actionsColumn(
        (row) => (row.state === "expired" ? answerApproval : []),
        ({ id }) => ({ approval: id }),
        ({ kind, person: recipient }) => (
          <>
            An approval ({kind}) that <strong>{recipient?.email}</strong> did not answer in time.
          </>
        ),
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
        ({ email }) => (
          <>
            The invitation for <strong>{email}</strong>.
          </>
        ),
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
      {
        key: "memories",
        title: "Memories",
        number: true,
        sortBy: ({ memories }) => memories,
        render: ({ memories }) => memories,
      },
      {
        key: "former-versions",
        title: "Former versions",
        number: true,
        sortBy: ({ history }) => history,
        render: ({ history }) => history,
      },
      {
        key: "proposals",
        title: "Proposals",
        number: true,
        sortBy: ({ proposals }) => proposals,
        render: ({ proposals }) => proposals,
      },
      {
        key: "answers",
        title: "Answers",
        number: true,
        sortBy: ({ answers }) => answers,
        render: ({ answers }) => answers,
      },
      {
        key: "complete",
        title: "Complete",
        sortBy: ({ complete }) => (complete ? "yes" : "data remains"),
        render: ({ complete }) => (complete ? "yes" : "data remains"),
      },
      when("Time", "erasedAt"),
    ],
  },
};
