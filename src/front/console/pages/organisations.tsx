/** All organisations, newest first. */
import { useLive } from "../live.ts";
import { badge } from "../parts/badge.tsx";
import { Heading } from "../parts/heading.tsx";
import { shown } from "../parts/states.tsx";
import { type Page, pager, table } from "../parts/table.tsx";
import type { PageProps } from "../place.ts";
import { When } from "../times.tsx";

type Data = { organisations: { nodes: Organisation[]; pageInfo: Page } };
type Organisation = {
  id: string;
  name: string;
  kind: string;
  billingState: string;
  suspendedAt: string | null;
  trialEndsAt: string | null;
  createdAt: string;
};

export function OrganisationsPage({ place }: PageProps) {
  const after = place.query.get("after");
  const answer = useLive<Data>("organisations", { first: 50, after });
  return (
    <>
      <Heading title="Organisations" />
      <div class="panel">
        {shown(answer, ({ organisations }) => [
          table(
            "Organisations, newest first",
            organisations.nodes,
            [
              {
                key: "name",
                title: "Name",
                long: true,
                sortBy: ({ name }) => name,
                render: ({ id, name }) => <a href={`/organisations/${id}`}>{name}</a>,
              },
              { key: "kind", title: "Kind", sortBy: ({ kind }) => kind, render: ({ kind }) => kind },
              {
                key: "billing",
                title: "Billing",
                sortBy: ({ billingState }) => billingState,
                render: ({ billingState }) => badge(billingState),
              },
              {
                key: "state",
                title: "State",
                sortBy: ({ suspendedAt }) => (suspendedAt ? "suspended" : "active"),
                render: ({ suspendedAt }) => badge(suspendedAt ? "suspended" : "active"),
              },
              {
                key: "trial-ends",
                title: "Trial ends",
                sortBy: ({ trialEndsAt }) => trialEndsAt,
                render: ({ trialEndsAt }) => <When at={trialEndsAt} />,
              },
              {
                key: "created",
                title: "Created",
                sortBy: ({ createdAt }) => createdAt,
                render: ({ createdAt }) => <When at={createdAt} />,
              },
            ],
            { key: ({ id }) => id, none: "No organisations yet." },
          ),
          pager(organisations.pageInfo, after),
        ])}
      </div>
    </>
  );
}
