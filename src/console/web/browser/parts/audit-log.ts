/** Columns of audit log entries. */
import { html, type Shown } from "../html.ts";
import { When } from "../times.ts";
import { linkTo, searchLink } from "./rows.ts";
import type { Column } from "./table.ts";

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

const at: Column<AuditEntry> = { head: "Time", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` };
const actor: Column<AuditEntry> = { head: "Actor", long: true, cell: actorOf };
const action: Column<AuditEntry> = {
  head: "Action",
  cell: ({ action, resource = "" }) => `${action} ${resource.replaceAll("_", " ")}`.trim(),
};
const resource: Column<AuditEntry> = { head: "Resource", cell: ({ resourceId }) => searchLink(resourceId) };
const changed: Column<AuditEntry> = { head: "Changed", long: true, cell: changes };
const reason: Column<AuditEntry> = { head: "Reason", long: true, cell: ({ reason }) => reason ?? "–" };
const request: Column<AuditEntry> = {
  head: "Request",
  cell: ({ requestId }) => linkTo("requests", requestId ?? null),
};

export const organisationColumns = [at, actor, action, resource, changed, reason, request];
export const endpointColumns = [at, actor, action, changed, reason, request];
export const requestColumns = [at, action, resource, changed];
