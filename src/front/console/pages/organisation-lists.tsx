/** The lists of an organisation: query, columns and actions of each. */

import { answerApproval } from "../actions/things.tsx";
import { organisationColumns } from "../parts/audit-log.tsx";
import { badge } from "../parts/badge.tsx";
import { actionsColumn, number, person, state, text, value, when } from "../parts/columns.tsx";
import { organisationDeliveryColumns } from "../parts/deliveries.tsx";
import { addressOf, EndpointName } from "../parts/endpoints.tsx";
import {
  approvalFilters,
  auditFilters,
  deliveryFilters,
  endpointFilters,
  erasureFilters,
  eventFilters,
  mailFilters,
  restrictionFilters,
  runFilters,
} from "../parts/list-options.ts";
import { operatorActionColumns } from "../parts/operator-actions.tsx";
import { linkTo, tabLink } from "../parts/rows.tsx";
import { runColumns } from "../parts/runs.tsx";
import { When } from "../times.tsx";
import { access } from "./organisation-access.tsx";
import { automations } from "./organisation-automations.tsx";
import type { OrganisationListOf } from "./organisation-list.tsx";

/** By name of the tab. */
export const lists: Record<string, OrganisationListOf> = {
  members: access.members,
  keys: access.keys,
  endpoints: {
    title: "Endpoints",
    query: "organisation-endpoints",
    filters: endpointFilters,
    contains: "Host, path or description",
    field: "endpoints",
    none: "No endpoints. An endpoint is an address of the organisation that receives events. An owner or admin creates it in the portal.",
    start: tabLink("members", "View the portal as a member"),
    columns: [
      {
        key: "host",
        title: "Endpoint",
        long: true,
        sortBy: addressOf,
        order: "HOST",
        render: (endpoint) => <EndpointName {...endpoint} />,
      },
      state("status"),
      number("Consecutive failures", "consecutiveFailures"),
      when("Degraded since", "degradedSince"),
      when("Last delivery", "lastDeliveryAt", "never"),
    ],
  },
  deliveries: {
    title: "Deliveries",
    query: "organisation-deliveries",
    filters: deliveryFilters,
    contains: "Event or failure",
    growing: true,
    field: "deliveries",
    none: "No deliveries. An event that an endpoint receives is a delivery.",
    start: tabLink("endpoints", "Show the endpoints"),
    columns: organisationDeliveryColumns,
  },
  runs: {
    title: "Runs",
    query: "organisation-runs",
    filters: runFilters,
    contains: "Error",
    growing: true,
    field: "runs",
    none: "No runs. A run starts when a person, a routine or a hook sends a bot a message.",
    start: tabLink("bots", "Show the bots"),
    columns: runColumns,
  },
  events: {
    title: "Events",
    query: "organisation-events",
    filters: eventFilters,
    growing: true,
    field: "events",
    none: "No events. Runs, approvals and changes in the organisation are events. They are stored for 30 days.",
    start: tabLink("runs", "Show the runs"),
    columns: [
      value("Event", "kind"),
      { key: "run", title: "Run", text: ({ runId }) => runId, render: ({ runId }) => linkTo("runs", runId) },
      {
        key: "deliveries",
        title: "Deliveries",
        text: ({ id }) => id,
        render: ({ id }) => <a href={`/search?q=${id}`}>find</a>,
      },
      when("Created", "createdAt"),
    ],
  },
  approvals: {
    title: "Approvals",
    query: "organisation-approvals",
    filters: approvalFilters,
    growing: true,
    field: "approvals",
    none: "No approvals. A bot creates one when it needs the answer of a person.",
    start: tabLink("runs", "Show the runs"),
    columns: [
      {
        key: "kind",
        title: "Kind",
        sortBy: ({ kind }) => kind,
        order: "KIND",
        render: ({ kind, runId }) => linkTo("runs", runId, kind),
      },
      state(),
      person("Person", "person"),
      value("Emailed", "mailed", (mailed) => (mailed ? "yes" : "no")),
      when("Created", "createdAt"),
      when("Expires", "expiresAt"),
      when("Answered", "answeredAt"),
      actionsColumn(
        (row) => (row.state === "expired" ? answerApproval : []),
        ({ id }) => ({ approval: id }),
        ({ kind, person: recipient, state: present, expiresAt }) => [
          ["Approval", kind],
          ["Person", recipient?.email],
          ["State", badge(present)],
          ["Expired", <When at={expiresAt} />],
        ],
      ),
    ],
  },
  invitations: access.invitations,
  ...automations,
  email: {
    title: "Email",
    query: "organisation-mails",
    filters: mailFilters,
    contains: "Address",
    growing: true,
    field: "mails",
    none: "No emails. The service sends invitations, approvals and warnings by email.",
    start: tabLink("invitations", "Show the invitations"),
    columns: [
      text("Kind", "kind"),
      text("To", "recipient"),
      state(),
      when("Created", "createdAt"),
      when("Sent", "sentAt"),
    ],
  },
  restrictions: {
    title: "Restrictions",
    query: "organisation-restriction-changes",
    filters: restrictionFilters,
    contains: "Kind or reason",
    growing: true,
    field: "restrictionChanges",
    none: "No kind was ever restricted. A restriction forbids memories of a kind about third parties.",
    start: null,
    action: "restrictKind",
    columns: [text("Kind", "kind"), text("Change", "change"), text("Reason", "reason"), when("Time", "changedAt")],
  },
  "audit-log": {
    title: "Audit log",
    query: "organisation-audit-log",
    filters: auditFilters,
    contains: "Operator or reason",
    growing: true,
    field: "auditLog",
    none: "No audit log entries. Each change in the organisation is an entry.",
    start: tabLink("operator-actions", "Show the operator actions"),
    columns: organisationColumns,
  },
  "operator-actions": {
    title: "Operator actions",
    query: "organisation-operator-actions",
    contains: "Operator, action or reason",
    growing: true,
    field: "operatorActions",
    none: "No operator actions. Each action of an operator on the organisation is an entry, with its reason.",
    start: <a href="/operator-log">Show the actions on all organisations</a>,
    columns: operatorActionColumns,
  },
  erasures: {
    title: "Erasures",
    query: "organisation-erasures",
    filters: erasureFilters,
    growing: true,
    field: "erasures",
    none: "No erasures. An erasure deletes all data about a subject, and leaves a receipt.",
    start: null,
    action: "eraseSubject",
    columns: [
      value("Subject", "subjectKind", (kind) => kind.replaceAll("_", " ")),
      number("Memories", "memories"),
      number("Former versions", "history"),
      number("Proposals", "proposals"),
      number("Answers", "answers"),
      value("Complete", "complete", (complete) => (complete ? "yes" : "data remains")),
      when("Time", "erasedAt"),
    ],
  },
};
