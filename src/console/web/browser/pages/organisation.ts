/** An organisation: how it stands, what it may hold and holds, and its lists, one at a time. */
import { organisationActions } from "../actions/organisation.ts";
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { actions } from "../parts/actions.ts";
import { badge } from "../parts/badge.ts";
import { choice } from "../parts/choice.ts";
import { facts } from "../parts/facts.ts";
import { Heading } from "../parts/heading.ts";
import { Id } from "../parts/ids.ts";
import { gone } from "../parts/rows.ts";
import { shown } from "../parts/states.ts";
import type { PageProps } from "../place.ts";
import { When } from "../times.ts";
import { OrganisationList } from "./organisation-list.ts";
import { lists } from "./organisation-lists.ts";
import { OrganisationSummary, type Summary } from "./organisation-summary.ts";

type Data = {
  organisation:
    | (Summary & {
        id: string;
        name: string;
        kind: string;
        language: string;
        billingState: string;
        trialEndsAt: string | null;
        seatsBought: number | null;
        suspendedAt: string | null;
        createdAt: string;
      })
    | null;
};

const tabs: [string, string][] = [
  ["summary", "Summary"],
  ...Object.entries(lists).map(([name, { words }]): [string, string] => [name, words]),
];

export function OrganisationPage({ place, params }: PageProps) {
  const tab = place.query.get("tab") ?? "summary";
  const list = lists[tab];
  const answer = useLive<Data>("organisation", { id: params.id });
  return shown(answer, ({ organisation }) => {
    if (!organisation) return gone("organisation", params.id);
    const { id, name } = organisation;
    return html`<${Heading}
        kind=${organisation.kind === "personal" ? "Personal organisation" : "Organisation"}
        title=${name}
        beside=${actions(organisationActions(organisation), { organisation: id }, html`The organisation <strong>${name}</strong>.`)}
      >
        <div class="under">${badge(organisation.suspendedAt ? "suspended" : organisation.billingState)} <${Id} id=${id} /></div>
      <//>
      <div class="panel">${facts([
        organisation.suspendedAt && ["Suspended", html`<${When} at=${organisation.suspendedAt} />`],
        ["Billing", organisation.billingState.replaceAll("_", " ")],
        organisation.billingState === "trial" && ["Trial ends", html`<${When} at=${organisation.trialEndsAt} />`],
        ["Seats bought", organisation.seatsBought ?? "none"],
        ["Language of its claims", organisation.language],
        ["Founded", html`<${When} at=${organisation.createdAt} />`],
      ])}</div>
      <div class="tabs">${choice("What of it", "tab", tabs, tab)}</div>
      ${
        list
          ? html`<${OrganisationList} key=${tab} list=${list} organisation=${id} place=${place} />`
          : html`<${OrganisationSummary} of=${organisation} id=${id} place=${place} />`
      }`;
  });
}
