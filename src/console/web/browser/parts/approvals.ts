/** Cards as rows: who has to answer until when; not what is asked. */
import { html } from "../html.ts";
import { When } from "../times.ts";
import { badge } from "./badge.ts";
import { toThing } from "./rows.ts";
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
    "Cards, newest first",
    approvals,
    [
      { head: "Card", cell: ({ kind }) => kind },
      { head: "State", cell: ({ state }) => badge(state) },
      { head: "Asked of", long: true, cell: ({ person }) => person && toThing("people", person.id, person.email) },
      { head: "Mailed", cell: ({ mailed }) => (mailed ? "yes" : "no") },
      { head: "Raised", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
      { head: "Expires", cell: ({ expiresAt }) => html`<${When} at=${expiresAt} />` },
      { head: "Answered", cell: ({ answeredAt }) => html`<${When} at=${answeredAt} />` },
    ],
    { key: ({ id }) => id, none: "No card was raised." },
  );
}
