/** Columns of audit log entries. */
import type { ComponentChildren as Shown } from "preact";
import { When } from "../times.tsx";
import { linkTo, searchLink } from "./rows.tsx";
import type { Column } from "./table.tsx";

type Values = Record<string, unknown> | null;
export type AuditEntry = {
  id: string;
  createdAt: string;
  actor: string;
  keyId: string | null;
  operator: string | null;
  person: { id: string; email: string } | null;
  action: string;
  changed: string[] | null;
  before: Values;
  after: Values;
  /** Not every query selects these. */
  reason?: string | null;
  requestId?: string | null;
  resource?: string;
  resourceId?: string | null;
};

/** A person, an operator, or a part of Botstead. */
export const actorOf = ({ person, operator, actor }: AuditEntry): Shown =>
  person ? linkTo("people", person.id, person.email) : (operator ?? actor.replaceAll("_", " "));

/** Changed columns. The audit log omits the values of names, addresses, texts and secrets. */
function changes({ changed, before, after }: AuditEntry): string {
  const format = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const parts = (changed ?? []).map((name) =>
    before && after && name in before && name in after
      ? `${name}: ${format(before[name])} → ${format(after[name])}`
      : name,
  );
  return parts.join(", ") || "–";
}

const at: Column<AuditEntry> = {
  key: "time",
  phone: "time",
  title: "Time",
  text: ({ createdAt }) => createdAt,
  order: "PRIMARY_KEY",
  render: ({ createdAt }) => <When at={createdAt} />,
};
const actor: Column<AuditEntry> = {
  key: "actor",
  phone: "state",
  title: "Actor",
  long: true,
  text: ({ person, operator, actor }) => person?.email ?? operator ?? actor,
  order: "ACTOR",
  render: actorOf,
};
const action: Column<AuditEntry> = {
  key: "action",
  phone: "title",
  title: "Action",
  text: ({ action, resource = "" }) => `${action} ${resource}`,
  order: "ACTION",
  render: ({ action, resource = "" }) => `${action} ${resource.replaceAll("_", " ")}`.trim(),
};
const resource: Column<AuditEntry> = {
  key: "resource",
  title: "Resource",
  sortBy: ({ resourceId }) => resourceId,
  render: ({ resourceId }) => searchLink(resourceId),
};
const changed: Column<AuditEntry> = { key: "changed", title: "Changed", long: true, render: changes };
const reason: Column<AuditEntry> = {
  key: "reason",
  title: "Reason",
  long: true,
  sortBy: ({ reason }) => reason,
  render: ({ reason }) => reason ?? "–",
};
const request: Column<AuditEntry> = {
  key: "request",
  title: "Request",
  text: ({ requestId }) => requestId,
  render: ({ requestId }) => linkTo("requests", requestId ?? null),
};

export const organisationColumns = [at, actor, action, resource, changed, reason, request];
export const endpointColumns = [at, actor, action, changed, reason, request];
export const requestColumns = [at, action, resource, changed];
