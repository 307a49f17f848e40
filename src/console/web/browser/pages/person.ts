/** A person, with memberships and links to view as this person. */
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { badge } from "../parts/badge.ts";
import { Heading } from "../parts/heading.ts";
import { Id } from "../parts/ids.ts";
import { type Named, notFound, organisationLink } from "../parts/rows.ts";
import { section } from "../parts/section.ts";
import { shown } from "../parts/states.ts";
import { table } from "../parts/table.ts";
import type { PageProps } from "../place.ts";
import { When } from "../times.ts";

type Membership = { id: string; role: string; createdAt: string; organisation: Named };
type Data = {
  person: {
    id: string;
    email: string;
    displayName: string | null;
    createdAt: string;
    memberships: { nodes: Membership[] };
  } | null;
};

export function PersonPage({ params }: PageProps) {
  const answer = useLive<Data>("person", { id: params.id });
  return shown(answer, ({ person }) => {
    if (!person) return notFound("person", params.id);
    return html`<${Heading} kind="Person" title=${person.email}>
        <div class="under">
          ${person.displayName && html`<span>${person.displayName}</span>`} <${Id} id=${person.id} />
          <span class="quiet">created <${When} at=${person.createdAt} /></span>
        </div>
      <//>
      ${section(
        "memberships",
        "Memberships",
        table(
          "Memberships",
          person.memberships.nodes,
          [
            { head: "Organisation", long: true, cell: ({ organisation }) => organisationLink(organisation) },
            { head: "Role", cell: ({ role }) => badge(role) },
            { head: "Since", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
            {
              head: "View as",
              cell: ({ organisation }) =>
                html`<a href=${`/view-as/${organisation?.id}/${person.id}`}>View as this person</a>`,
            },
          ],
          { key: ({ id }) => id, none: "No memberships." },
        ),
      )}`;
  });
}
