/** A person, with memberships, and the portal as this person sees it. */

import { Id } from "../../parts/id.tsx";
import { viewAs } from "../actions/things.tsx";
import { useLive } from "../live.ts";
import { actions } from "../parts/actions.tsx";
import { badge } from "../parts/badge.tsx";
import { when } from "../parts/columns.tsx";
import { Heading } from "../parts/heading.tsx";
import { type Named, notFound, organisationLink } from "../parts/rows.tsx";
import { section } from "../parts/section.tsx";
import { shownPage } from "../parts/states.tsx";
import { table } from "../parts/table.tsx";
import type { PageProps } from "../place.ts";
import { When } from "../times.tsx";

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
  return shownPage("Person", answer, ({ person }) => {
    if (!person) return notFound("person", params.id);
    return (
      <>
        <Heading kind="Person" title={person.email}>
          <div class="under">
            {person.displayName && <span>{person.displayName}</span>} <Id value={person.id} />
            <span class="quiet">
              created <When at={person.createdAt} />
            </span>
          </div>
        </Heading>
        {section(
          "Memberships",
          table(
            "Memberships",
            person.memberships.nodes,
            [
              {
                key: "organisation",
                title: "Organisation",
                long: true,
                sortBy: ({ organisation }) => organisation?.name,
                render: ({ organisation }) => organisationLink(organisation),
              },
              { key: "role", title: "Role", sortBy: ({ role }) => role, render: ({ role }) => badge(role) },
              when("Since", "createdAt"),
              {
                key: "view-as",
                title: "View as",
                render: ({ organisation, role }) =>
                  actions([viewAs], { organisation: organisation?.id, person: person.id }, [
                    ["Portal of", organisation?.name],
                    ["Person", person.email],
                    ["Role", badge(role)],
                  ]),
              },
            ],
            {
              key: ({ id }) => id,
              none: "No memberships. A person becomes a member by accepting an invitation.",
              start: <a href="/organisations">Show the organisations</a>,
            },
          ),
        )}
      </>
    );
  });
}
