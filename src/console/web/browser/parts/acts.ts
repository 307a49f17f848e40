/** What operators did, as rows: who, what, to what, and why. */
import { html } from "../html.ts";
import { When } from "../times.ts";
import { bySearch, type Named, toOrganisation } from "./rows.ts";
import type { Column } from "./table.ts";

export type ActRow = {
  id: string;
  operator: string;
  action: string;
  subjectId: string | null;
  arguments: Record<string, unknown>;
  reason: string;
  createdAt: string;
  organisation?: Named;
};

function given(values: Record<string, unknown>): string {
  const said = Object.entries(values).filter(([, value]) => value !== null);
  return said.map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");
}

export const actColumns: Column<ActRow>[] = [
  { head: "When", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
  { head: "Operator", long: true, cell: ({ operator }) => operator },
  { head: "Did", cell: ({ action }) => action.replaceAll("_", " ") },
  { head: "To", cell: ({ subjectId }) => bySearch(subjectId) },
  { head: "With", long: true, cell: (act) => given(act.arguments) || "–" },
  { head: "Because", long: true, cell: ({ reason }) => reason },
];

export const actColumnsOfAll = actColumns.toSpliced(3, 0, {
  head: "Organisation",
  long: true,
  cell: ({ organisation }) => toOrganisation(organisation),
});
