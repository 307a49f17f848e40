import { badge } from "./badge.tsx";
import { when } from "./columns.tsx";
import { linkTo } from "./rows.tsx";
import { table } from "./table.tsx";

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
      { key: "kind", title: "Kind", sortBy: ({ kind }) => kind, render: ({ kind }) => kind },
      { key: "state", title: "State", sortBy: ({ state }) => state, render: ({ state }) => badge(state) },
      {
        key: "person",
        title: "Person",
        long: true,
        sortBy: ({ person }) => person?.email,
        render: ({ person }) => person && linkTo("people", person.id, person.email),
      },
      {
        key: "emailed",
        title: "Emailed",
        sortBy: ({ mailed }) => (mailed ? "yes" : "no"),
        render: ({ mailed }) => (mailed ? "yes" : "no"),
      },
      when("Created", "createdAt"),
      when("Expires", "expiresAt"),
      when("Answered", "answeredAt"),
    ],
    { key: ({ id }) => id, none: "No approvals. A bot creates one when it needs the answer of a person." },
  );
}
