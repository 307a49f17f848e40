/** An organisation: its properties, then its summary or one of its lists. */
import { organisationActions } from "../actions/organisation.ts";
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { actions } from "../parts/actions.ts";
import { badge } from "../parts/badge.ts";
import { choice } from "../parts/choice.ts";
import { facts } from "../parts/facts.ts";
import { Heading } from "../parts/heading.ts";
import { Id } from "../parts/ids.ts";
import { notFound } from "../parts/rows.ts";
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
  ...Object.entries(lists).map(([name, { title }]): [string, string] => [name, title]),
];

export function OrganisationPage({ place, params }: PageProps) {
  const tab = place.query.get("tab") ?? "summary";
  const list = lists[tab];
  const answer = useLive<Data>("organisation", { id: params.id });
  return shown(answer, ({ organisation }) => {
    if (!organisation) return notFound("organisation", params.id);
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
        ["Language of its memories", organisation.language],
        ["Created", html`<${When} at=${organisation.createdAt} />`],
      ])}</div>
      <div class="tabs">${choice("Parts of the organisation", "tab", tabs, tab)}</div>
      ${
        list
          ? html`<${OrganisationList} key=${tab} list=${list} organisation=${id} place=${place} />`
          : html`<${OrganisationSummary} of=${organisation} id=${id} place=${place} />`
      }`;
  });
}
