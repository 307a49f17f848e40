/** An endpoint: its state, deliveries and audit log. */

import { Id } from "../../parts/id.tsx";
import { endpointActions } from "../actions/things.tsx";
import { useLive } from "../live.ts";
import { count } from "../numbers.ts";
import { actions } from "../parts/actions.tsx";
import { endpointColumns } from "../parts/audit-log.tsx";
import { badge } from "../parts/badge.tsx";
import { endpointDeliveryColumns } from "../parts/deliveries.tsx";
import { addressOf } from "../parts/endpoints.tsx";
import { facts } from "../parts/facts.tsx";
import { Heading } from "../parts/heading.tsx";
import { type List, type Rows, ServerList } from "../parts/list.tsx";
import { auditFilters, deliveryFilters } from "../parts/list-options.ts";
import { type Named, notFound, organisationLink } from "../parts/rows.tsx";
import { section } from "../parts/section.tsx";
import { shownPage } from "../parts/states.tsx";
import type { PageProps } from "../place.ts";
import { When } from "../times.tsx";

type Data = {
  webhookEndpoint: {
    id: string;
    organisation: Named;
    host: string;
    path: string | null;
    description: string | null;
    events: string[];
    state: string;
    status: string;
    consecutiveFailures: number;
    degradedSince: string | null;
    disabledReason: string | null;
    disabledAt: string | null;
    lastDeliveryAt: string | null;
    createdAt: string;
    deletedAt: string | null;
  } | null;
};
type AuditLog = { organisation: { auditLog: Rows } | null };
type Deliveries = { webhookEndpoint: { deliveries: Rows } | null };

const deliveries: List = {
  title: "Deliveries, newest first",
  query: "endpoint-deliveries",
  filters: deliveryFilters,
  contains: "Event or failure",
  growing: true,
  none: "No deliveries yet. An event that this endpoint receives is a delivery.",
  start: null,
  columns: endpointDeliveryColumns,
};
const auditLog: List = {
  title: "Audit log, newest first",
  query: "organisation-audit-log",
  filters: auditFilters,
  contains: "Operator or reason",
  growing: true,
  none: "No audit log entries. Each change of the endpoint is an entry.",
  start: null,
  columns: endpointColumns,
};

export function EndpointPage({ place, params }: PageProps) {
  const answer = useLive<Data>("endpoint", { id: params.id });
  return shownPage("Endpoint", answer, ({ webhookEndpoint: endpoint }) => {
    if (!endpoint) return notFound("endpoint", params.id);
    const listOf = (tab: string, label: string) => (
      <a href={`/organisations/${endpoint.organisation?.id}?tab=${tab}`}>{label}</a>
    );
    return (
      <>
        <Heading
          kind="Endpoint"
          title={endpoint.description ?? addressOf(endpoint)}
          beside={actions(
            endpointActions(endpoint),
            { organisation: endpoint.organisation?.id, endpoint: endpoint.id },
            [
              ["Endpoint", addressOf(endpoint)],
              ["Organisation", endpoint.organisation?.name],
              ["State", badge(endpoint.status)],
              ["Consecutive failures", count(endpoint.consecutiveFailures)],
              ["Last delivery", <When at={endpoint.lastDeliveryAt} none="never" />],
            ],
          )}
        >
          <div class="under">
            {badge(endpoint.status)} {organisationLink(endpoint.organisation)}
            <Id value={endpoint.id} />
          </div>
        </Heading>
        <div class="panel">
          {facts([
            ["Consecutive failures", count(endpoint.consecutiveFailures)],
            ["Degraded since", <When at={endpoint.degradedSince} none="not degraded" />],
            endpoint.disabledAt && ["Disabled", <When at={endpoint.disabledAt} />],
            endpoint.disabledReason && ["Disabled because", endpoint.disabledReason.replaceAll("_", " ")],
            ["Last delivery", <When at={endpoint.lastDeliveryAt} none="never" />],
            ["Events", endpoint.events.join(", ")],
            ["Host", endpoint.host],
            ["Path", endpoint.path ? `/${endpoint.path}` : "/"],
            ["Created", <When at={endpoint.createdAt} />],
          ])}
        </div>
        {section(
          "Deliveries",
          <ServerList
            list={{ ...deliveries, start: listOf("events", "Show the events of the organisation") }}
            place={place}
            variables={{ endpoint: endpoint.id }}
            rowsOf={(data: Deliveries | undefined) => data?.webhookEndpoint?.deliveries}
          />,
        )}
        {section(
          "Audit log",
          <ServerList
            list={{ ...auditLog, start: listOf("audit-log", "Show the log of the organisation") }}
            place={place}
            variables={{ organisation: endpoint.organisation?.id }}
            of={{ resourceId: endpoint.id }}
            rowsOf={(data: AuditLog | undefined) => data?.organisation?.auditLog}
            prefix="log-"
            pageSize={20}
          />,
        )}
      </>
    );
  });
}
