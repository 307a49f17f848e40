import { when } from "./columns.tsx";
import { type Named, organisationLink, searchLink } from "./rows.tsx";
import type { Column } from "./table.tsx";

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
  { ...when("Time", "createdAt"), phone: "time" },
  {
    key: "operator",
    phone: "state",
    title: "Operator",
    long: true,
    sortBy: ({ operator }) => operator,
    order: "OPERATOR",
    render: ({ operator }) => operator,
  },
  {
    key: "action",
    phone: "title",
    title: "Action",
    sortBy: ({ action }) => action.replaceAll("_", " "),
    order: "ACTION",
    render: ({ action }) => action.replaceAll("_", " "),
  },
  {
    key: "target",
    title: "Target",
    sortBy: ({ subjectId }) => subjectId,
    render: ({ subjectId }) => searchLink(subjectId),
  },
  { key: "arguments", title: "Arguments", long: true, render: (row) => argumentsText(row.arguments) || "–" },
  {
    key: "reason",
    title: "Reason",
    long: true,
    sortBy: ({ reason }) => reason,
    render: ({ reason }) => reason ?? "–",
  },
];

export const allOperatorActionColumns = operatorActionColumns.toSpliced(3, 0, {
  key: "organisation",
  title: "Organisation",
  long: true,
  sortBy: ({ organisation }) => organisation?.name,
  render: ({ organisation }) => organisationLink(organisation),
});
