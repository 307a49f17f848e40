/** An organisation: its properties, then its summary or one of its lists. */

import { Id } from "../../parts/id.tsx";
import { Tabs } from "../../parts/page.tsx";
import type { Action } from "../actions/action.ts";
import { organisationActions } from "../actions/organisation.ts";
import { useLive } from "../live.ts";
import { actions } from "../parts/actions.tsx";
import { badge } from "../parts/badge.tsx";
import { facts } from "../parts/facts.tsx";
import { Heading } from "../parts/heading.tsx";
import { notFound } from "../parts/rows.tsx";
import { shownPage } from "../parts/states.tsx";
import { hereWith, type PageProps } from "../place.ts";
import { When } from "../times.tsx";
import { OrganisationList } from "./organisation-list.tsx";
import { lists } from "./organisation-lists.tsx";
import { OrganisationSummary, type Summary } from "./organisation-summary.tsx";

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
        deletionAt: string | null;
        createdAt: string;
      })
    | null;
};

/** A tab and its lists. The first list opens with the tab. */
const groups: [title: string, lists: string[]][] = [
  ["Summary", ["summary"]],
  ["Access", ["members", "keys", "invitations"]],
  ["Endpoints", ["endpoints", "deliveries", "events"]],
  ["Work", ["runs", "approvals", "bots", "routines", "hooks"]],
  ["Records", ["audit-log", "operator-actions", "email", "restrictions", "erasures"]],
];

const hrefOf = (tab: string) => hereWith({ tab: tab === "summary" ? undefined : tab });

function Parts({ tab }: { tab: string }) {
  const current = groups.find(([, names]) => names.includes(tab));
  const [group = "", names = []] = current ?? [];
  return (
    <>
      <Tabs
        label="Parts of the organisation"
        tabs={groups.map(([title, [first = ""]]) => ({ title, href: hrefOf(first) }))}
        current={hrefOf(names[0] ?? "summary")}
      />
      {names.length > 1 && (
        <nav class="choice lists" aria-label={`Lists of ${group.toLowerCase()}`}>
          {names.map((name) => (
            <a key={name} href={hrefOf(name)} aria-current={name === tab ? "page" : undefined}>
              {lists[name]?.title}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}

const stateOf = ({ suspendedAt, billingState }: { suspendedAt: string | null; billingState: string }) =>
  suspendedAt ? "suspended" : billingState;

export function OrganisationPage({ place, params }: PageProps) {
  const tab = place.query.get("tab") ?? "summary";
  const list = lists[tab];
  const answer = useLive<Data>("organisation", { id: params.id });
  return shownPage("Organisation", answer, ({ organisation }) => {
    if (!organisation) return notFound("organisation", params.id);
    const { id, name } = organisation;
    const all = organisationActions(organisation);
    const buttons = (of: Action[]) =>
      actions(of, { organisation: id }, [
        ["Organisation", name],
        ["State now", badge(stateOf(organisation))],
      ]);
    const start = (action: string) => buttons(all.filter((each) => each.name === action));
    return (
      <>
        <Heading
          kind={organisation.kind === "personal" ? "Personal organisation" : "Organisation"}
          title={name}
          beside={buttons(all)}
        >
          <div class="under">
            {badge(stateOf(organisation))} <Id value={id} />
          </div>
        </Heading>
        <div class="panel">
          {facts([
            organisation.suspendedAt && ["Suspended", <When at={organisation.suspendedAt} />],
            organisation.deletionAt && ["Will be deleted", <When at={organisation.deletionAt} />],
            ["Billing", organisation.billingState.replaceAll("_", " ")],
            organisation.billingState === "trial" && ["Trial ends", <When at={organisation.trialEndsAt} />],
            ["Seats bought", organisation.seatsBought ?? "none"],
            ["Language of its memories", organisation.language],
            ["Created", <When at={organisation.createdAt} />],
          ])}
        </div>
        <Parts tab={list ? tab : "summary"} />
        {list ? (
          <OrganisationList key={tab} list={list} organisation={id} place={place} start={start} />
        ) : (
          <OrganisationSummary of={organisation} id={id} place={place} start={start} />
        )}
      </>
    );
  });
}
