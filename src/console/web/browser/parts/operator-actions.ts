/** Columns of operator actions. */
import { html } from "../html.ts";
import { When } from "../times.ts";
import { type Named, organisationLink, searchLink } from "./rows.ts";
import type { Column } from "./table.ts";

export type OperatorAction = {
  id: string;
  operator: string;
  action: string;
  subjectId: string | null;
  arguments: Record<string, unknown>;
  reason: string | null;
  createdAt: string;
  organisation?: Named;
};

function argumentsText(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return given
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join(", ");
}

export const operatorActionColumns: Column<OperatorAction>[] = [
  { head: "Time", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
  { head: "Operator", long: true, cell: ({ operator }) => operator },
  { head: "Action", cell: ({ action }) => action.replaceAll("_", " ") },
  { head: "Target", cell: ({ subjectId }) => searchLink(subjectId) },
  { head: "Arguments", long: true, cell: (row) => argumentsText(row.arguments) || "–" },
  { head: "Reason", long: true, cell: ({ reason }) => reason ?? "–" },
];

export const allOperatorActionColumns = operatorActionColumns.toSpliced(3, 0, {
  head: "Organisation",
  long: true,
  cell: ({ organisation }) => organisationLink(organisation),
});
