/** An endpoint: its state, deliveries and audit log. */

import type { ComponentChildren as Shown } from "preact";
import { Id } from "../../parts/id.tsx";
import { endpointActions } from "../actions/things.tsx";
import { type Answer, useLive } from "../live.ts";
import { count } from "../numbers.ts";
import { actions } from "../parts/actions.tsx";
import { type AuditEntry, endpointColumns } from "../parts/audit-log.tsx";
import { choice } from "../parts/choice.tsx";
import { type Delivery, endpointDeliveryColumns, failedColumns, waitingColumns } from "../parts/deliveries.tsx";
import { endpointBadge } from "../parts/endpoints.tsx";
import { facts } from "../parts/facts.tsx";
import { Heading } from "../parts/heading.tsx";
import { type Named, notFound, organisationLink } from "../parts/rows.tsx";
import { section } from "../parts/section.tsx";
import { shown } from "../parts/states.tsx";
import { type Column, type Page, pager, table } from "../parts/table.tsx";
import type { PageProps } from "../place.ts";
import { When } from "../times.tsx";

type Data = {
  webhookEndpoint: {
    id: string;
    organisation: Named;
    host: string;
    description: string | null;
    events: string[];
    state: string;
    consecutiveFailures: number;
    degradedSince: string | null;
    disabledReason: string | null;
    disabledAt: string | null;
    lastDeliveryAt: string | null;
    createdAt: string;
    deletedAt: string | null;
    waitingDeliveries: { nodes: Delivery[] };
    failedDeliveries: { nodes: Delivery[] };
  } | null;
};
type AuditLog = { organisation: { auditLog: { nodes: AuditEntry[]; pageInfo: Page } } | null };
type All = { webhookEndpoint: { deliveries: { nodes: Delivery[]; pageInfo: Page } } | null };

export function EndpointPage({ place, params }: PageProps) {
  const which = place.query.get("deliveries") ?? "all";
  const after = place.query.get("after");
  const answer = useLive<Data>("endpoint", { id: params.id });
  const all = useLive<All>(which === "all" ? "endpoint-deliveries" : null, { endpoint: params.id, first: 50, after });
  const auditLogAfter = place.query.get("audit-log");
  const organisation = answer.data?.webhookEndpoint?.organisation?.id;
  const auditLog = useLive<AuditLog>(organisation ? "organisation-audit-log" : null, {
    organisation,
    resource: params.id,
    first: 20,
    after: auditLogAfter,
  });
  return shown(answer, ({ webhookEndpoint: endpoint }) => {
    if (!endpoint) return notFound("endpoint", params.id);
    const about = (
      <>
        The endpoint at <strong>{endpoint.host}</strong> of {endpoint.organisation?.name}.
      </>
    );
    return (
      <>
        <Heading
          kind="Endpoint"
          title={endpoint.description ?? endpoint.host}
          beside={actions(
            endpointActions(endpoint),
            { organisation: endpoint.organisation?.id, endpoint: endpoint.id },
            about,
          )}
        >
          <div class="under">
            {endpointBadge(endpoint)} {organisationLink(endpoint.organisation)}
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
            ["Created", <When at={endpoint.createdAt} />],
          ])}
        </div>
        {section(
          "Deliveries",
          list(which, endpoint, all, after),
          choice("Which deliveries", "deliveries", kinds, which),
        )}
        {section("Audit log", auditLogTable(auditLog, auditLogAfter))}
      </>
    );
  });
}

const auditLogTable = (auditLog: Answer<AuditLog>, after: string | null): Shown =>
  shown(auditLog, ({ organisation }) => [
    table("Audit log, newest first", organisation?.auditLog.nodes ?? [], endpointColumns, {
      key: ({ id }) => id,
      none: "No audit log entries.",
    }),
    pager(organisation?.auditLog.pageInfo, after, "audit-log"),
  ]);

const kinds: [string, string][] = [
  ["all", "All"],
  ["waiting", "Pending"],
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
  if (which === "waiting") return rows(waitingDeliveries.nodes, waitingColumns, "No pending deliveries.");
  if (which === "failed") return rows(failedDeliveries.nodes, failedColumns, "No failed deliveries.");
  return shown(all, ({ webhookEndpoint }) => [
    rows(webhookEndpoint?.deliveries.nodes ?? [], endpointDeliveryColumns, "No deliveries yet."),
    pager(webhookEndpoint?.deliveries.pageInfo, after),
  ]);
}
