/** A person: where they belong, and what they see there. */
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { badge } from "../parts/badge.ts";
import { Heading } from "../parts/heading.ts";
import { Id } from "../parts/ids.ts";
import { gone, type Named, toOrganisation } from "../parts/rows.ts";
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
    if (!person) return gone("person", params.id);
    return html`<${Heading} kind="Person" title=${person.email}>
        <div class="under">
          ${person.displayName && html`<span>${person.displayName}</span>`} <${Id} id=${person.id} />
          <span class="quiet">known since <${When} at=${person.createdAt} /></span>
        </div>
      <//>
      ${section(
        "memberships",
        "Belongs to",
        table(
          "Organisations of this person",
          person.memberships.nodes,
          [
            { head: "Organisation", long: true, cell: ({ organisation }) => toOrganisation(organisation) },
            { head: "As", cell: ({ role }) => badge(role) },
            { head: "Since", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
            {
              head: "What they see",
              cell: ({ organisation }) =>
                html`<a href=${`/view-as/${organisation?.id}/${person.id}`}>View as this person</a>`,
            },
          ],
          { key: ({ id }) => id, none: "They belong to no organisation." },
        ),
      )}`;
  });
}
