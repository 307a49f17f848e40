/** Table of approvals: person and expiry, without the text. */
import { html } from "../html.ts";
import { When } from "../times.ts";
import { badge } from "./badge.ts";
import { linkTo } from "./rows.ts";
import { table } from "./table.ts";

export type Approval = {
  id: string;
  kind: string;
  state: string;
  mailed: boolean;
  runId: string;
  createdAt: string;
  expiresAt: string;
  answeredAt: string | null;
  person: { id: string; email: string } | null;
};

export function approvalsTable(approvals: Approval[]) {
  return table(
    "Approvals, newest first",
    approvals,
    [
      { head: "Kind", cell: ({ kind }) => kind },
      { head: "State", cell: ({ state }) => badge(state) },
      { head: "Person", long: true, cell: ({ person }) => person && linkTo("people", person.id, person.email) },
      { head: "Emailed", cell: ({ mailed }) => (mailed ? "yes" : "no") },
      { head: "Created", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
      { head: "Expires", cell: ({ expiresAt }) => html`<${When} at=${expiresAt} />` },
      { head: "Answered", cell: ({ answeredAt }) => html`<${When} at=${answeredAt} />` },
    ],
    { key: ({ id }) => id, none: "No approvals." },
  );
}
