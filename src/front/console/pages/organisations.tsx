/** All organisations, newest first. */
import { CodeBlock } from "../../parts/id.tsx";
import { state, text, when } from "../parts/columns.tsx";
import { Heading } from "../parts/heading.tsx";
import { type List, type Rows, ServerList } from "../parts/list.tsx";
import { organisationFilters } from "../parts/list-options.ts";
import { organisationLink } from "../parts/rows.tsx";
import type { PageProps } from "../place.ts";

const organisations: List = {
  title: "Organisations, newest first",
  query: "organisations",
  filters: organisationFilters,
  contains: "Name",
  none: "No organisations yet. A product creates one by the API, with a platform key.",
  start: <CodeBlock text="npx botstead platform-key mint" label="command" />,
  columns: [
    { ...text("Name", "name"), render: organisationLink, phone: "title" },
    text("Kind", "kind"),
    { ...state("billingState", "Billing"), phone: "beside" },
    state(),
    when("Trial ends", "trialEndsAt"),
    { ...when("Created", "createdAt"), phone: "time" },
  ],
};

export function OrganisationsPage({ place }: PageProps) {
  return (
    <>
      <Heading title="Organisations" />
      <div class="panel">
        <ServerList
          list={organisations}
          place={place}
          rowsOf={(data: { organisations: Rows } | undefined) => data?.organisations}
        />
      </div>
    </>
  );
}
