/** Emails: the unsent ones, oldest first, or all. */
import { choice } from "../parts/choice.tsx";
import { number, state, text, value, when } from "../parts/columns.tsx";
import { Heading } from "../parts/heading.tsx";
import { type List, type Rows, ServerList } from "../parts/list.tsx";
import { mailFilters, mailKindFilter } from "../parts/list-options.ts";
import { organisationLink } from "../parts/rows.tsx";
import type { Column } from "../parts/table.tsx";
import type { PageProps } from "../place.ts";

const kind: Column<{ kind: string }> = {
  ...value("Kind", "kind", (name) => name.replaceAll("_", " ")),
  phone: "beside",
};
const organisation: Column<{ organisation: Parameters<typeof organisationLink>[0] }> = {
  key: "organisation",
  title: "Organisation",
  long: true,
  text: (row) => row.organisation?.name,
  render: (row) => organisationLink(row.organisation),
};

const to: Column<{ recipient: string }> = { ...text("To", "recipient"), phone: "title" };

const unsent: List = {
  title: "Unsent emails, oldest first",
  query: "waiting-mails",
  filters: [mailKindFilter],
  contains: "Address",
  none: "No unsent emails. An email is listed until the mail server has accepted it.",
  start: <a href="/email?emails=all">Show all emails</a>,
  columns: [
    kind,
    to,
    organisation,
    number("Attempts", "attempts"),
    { ...when("Created", "createdAt"), phone: "time" },
    when("Next attempt", "nextAttemptAt"),
  ],
};

const all: List = {
  title: "Emails, newest first",
  query: "mails",
  filters: mailFilters,
  contains: "Address",
  growing: true,
  none: "No emails yet. The service sends invitations, approvals and warnings by email.",
  start: <a href="/organisations">Show the organisations</a>,
  columns: [
    kind,
    to,
    organisation,
    state(),
    { ...when("Created", "createdAt"), phone: "time" },
    when("Sent", "sentAt"),
  ],
};

const lists: [string, string][] = [
  ["unsent", "Unsent"],
  ["all", "All"],
];

export function EmailPage({ place }: PageProps) {
  const which = place.query.get("emails") ?? "unsent";
  const isAll = which === "all";
  return (
    <>
      <Heading title="Email" beside={choice("Which emails", "emails", lists, which)} />
      <div class="panel">
        <ServerList
          key={which}
          list={isAll ? all : unsent}
          place={place}
          rowsOf={(data: { mails?: Rows; waitingMails?: Rows } | undefined) =>
            isAll ? data?.mails : data?.waitingMails
          }
        />
      </div>
    </>
  );
}
