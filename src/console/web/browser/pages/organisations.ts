/** All organisations, newest first. */
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { badge } from "../parts/badge.ts";
import { Heading } from "../parts/heading.ts";
import { shown } from "../parts/states.ts";
import { type Page, pager, table } from "../parts/table.ts";
import type { PageProps } from "../place.ts";
import { When } from "../times.ts";

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
  return html`<${Heading} title="Organisations" />
    <div class="panel">
      ${shown(
        answer,
        ({ organisations }) => [
          table(
            "Organisations, newest first",
            organisations.nodes,
            [
              { head: "Name", long: true, cell: ({ id, name }) => html`<a href=${`/organisations/${id}`}>${name}</a>` },
              { head: "Kind", cell: ({ kind }) => kind },
              { head: "Billing", cell: ({ billingState }) => badge(billingState) },
              { head: "State", cell: ({ suspendedAt }) => badge(suspendedAt ? "suspended" : "active") },
              { head: "Trial ends", cell: ({ trialEndsAt }) => html`<${When} at=${trialEndsAt} />` },
              { head: "Created", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
            ],
            { key: ({ id }) => id, none: "No organisations yet." },
          ),
          pager(organisations.pageInfo, after),
        ],
        8,
      )}
    </div>`;
}
