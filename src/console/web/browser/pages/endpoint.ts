/** An endpoint: how it stands, its deliveries, and who did what to it. */
import { endpointActions } from "../actions/things.ts";
import { html, type Shown } from "../html.ts";
import { type Answer, useLive } from "../live.ts";
import { count } from "../numbers.ts";
import { actions } from "../parts/actions.ts";
import { badge } from "../parts/badge.ts";
import { choice } from "../parts/choice.ts";
import { type Delivery, failedColumns, ofEndpoint, waitingColumns } from "../parts/deliveries.ts";
import { facts } from "../parts/facts.ts";
import { Heading } from "../parts/heading.ts";
import { Id } from "../parts/ids.ts";
import { gone, type Named, toOrganisation } from "../parts/rows.ts";
import { section } from "../parts/section.ts";
import { shown } from "../parts/states.ts";
import { type Column, type Page, pager, table } from "../parts/table.ts";
import { ofOneThing, type TrailEntry } from "../parts/trail.ts";
import type { PageProps } from "../place.ts";
import { When } from "../times.ts";

type Data = {
  webhookEndpoint: {
    id: string;
    organisation: Named;
    host: string;
    description: string | null;
    events: string[];
    state: string;
    consecutiveFailures: number;
    troubledSince: string | null;
    disabledReason: string | null;
    disabledAt: string | null;
    lastDeliveryAt: string | null;
    createdAt: string;
    deletedAt: string | null;
    waitingDeliveries: { nodes: Delivery[] };
    failedDeliveries: { nodes: Delivery[] };
  } | null;
};
type Trail = { webhookEndpoint: { trail: { nodes: TrailEntry[]; pageInfo: Page } } | null };
type All = { webhookEndpoint: { deliveries: { nodes: Delivery[]; pageInfo: Page } } | null };

export function EndpointPage({ place, params }: PageProps) {
  const which = place.query.get("deliveries") ?? "all";
  const after = place.query.get("after");
  const answer = useLive<Data>("endpoint", { id: params.id });
  const all = useLive<All>(which === "all" ? "endpoint-deliveries" : null, { endpoint: params.id, first: 50, after });
  const trailAfter = place.query.get("trail");
  const trail = useLive<Trail>("endpoint-trail", { endpoint: params.id, first: 20, after: trailAfter });
  return shown(answer, ({ webhookEndpoint: endpoint }) => {
    if (!endpoint) return gone("endpoint", params.id);
    const about = html`The endpoint at <strong>${endpoint.host}</strong> of ${endpoint.organisation?.name}.`;
    return html`<${Heading}
        kind="Endpoint"
        title=${endpoint.host}
        beside=${actions(endpointActions(endpoint), { organisation: endpoint.organisation?.id, endpoint: endpoint.id }, about)}
      >
        <div class="under">
          ${badge(endpoint.deletedAt ? "deleted" : endpoint.state)} ${toOrganisation(endpoint.organisation)}
          <${Id} id=${endpoint.id} />
        </div>
      <//>
      <div class="panel">${facts([
        ["Failed in a row", count(endpoint.consecutiveFailures)],
        ["In trouble since", html`<${When} at=${endpoint.troubledSince} none="it is not" />`],
        endpoint.disabledAt && ["Disabled", html`<${When} at=${endpoint.disabledAt} />`],
        endpoint.disabledReason && ["Why disabled", endpoint.disabledReason.replaceAll("_", " ")],
        ["Last arrived", html`<${When} at=${endpoint.lastDeliveryAt} none="never" />`],
        ["Told of", endpoint.events.join(", ")],
        endpoint.description && ["Description", endpoint.description],
        ["Made", html`<${When} at=${endpoint.createdAt} />`],
      ])}</div>
      ${section("deliveries", "Deliveries", list(which, endpoint, all, after), choice("Which deliveries", "deliveries", kinds, which))}
      ${section("trail", "Trail", trailOf(trail, trailAfter))}`;
  });
}

const trailOf = (trail: Answer<Trail>, after: string | null): Shown =>
  shown(trail, ({ webhookEndpoint }) => [
    table("What was done to it, newest first", webhookEndpoint?.trail.nodes ?? [], ofOneThing, {
      key: ({ id }) => id,
      none: "Nothing is kept of what was done to it.",
    }),
    pager(webhookEndpoint?.trail.pageInfo, after, "trail"),
  ]);

const kinds: [string, string][] = [
  ["all", "All"],
  ["waiting", "Waiting"],
  ["failed", "Failed"],
];

type Lists = { waitingDeliveries: { nodes: Delivery[] }; failedDeliveries: { nodes: Delivery[] } };

function list(
  which: string,
  { waitingDeliveries, failedDeliveries }: Lists,
  all: Answer<All>,
  after: string | null,
): Shown {
  const rows = (nodes: Delivery[], columns: Column<Delivery>[], none: string) =>
    table("Deliveries", nodes, columns, { key: ({ id }) => id, none });
  if (which === "waiting") return rows(waitingDeliveries.nodes, waitingColumns, "None waits.");
  if (which === "failed") return rows(failedDeliveries.nodes, failedColumns, "None has failed for good.");
  return shown(all, ({ webhookEndpoint }) => [
    rows(webhookEndpoint?.deliveries.nodes ?? [], ofEndpoint, "Nothing was ever sent there."),
    pager(webhookEndpoint?.deliveries.pageInfo, after),
  ]);
}
