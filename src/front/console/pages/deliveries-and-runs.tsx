/** Executors, workers, jobs and queues. */

import type { Fact } from "../../parts/page.tsx";
import { retryRunsOfAll } from "../actions/retry-runs.tsx";
import { useLive } from "../live.ts";
import { count } from "../numbers.ts";
import { actions } from "../parts/actions.tsx";
import { badge } from "../parts/badge.tsx";
import { facts } from "../parts/facts.tsx";
import { Heading } from "../parts/heading.tsx";
import { section } from "../parts/section.tsx";
import { shown } from "../parts/states.tsx";
import { When } from "../times.tsx";
import { type Executors, executors, type Jobs, jobs, type Workers, workers } from "./process-tables.tsx";
import { type DeliveryQueues, deliveryQueues, type RunQueues, runQueues } from "./queue-tables.tsx";

type Service = {
  lastMaintenanceAt: string;
  definitions: string;
  definitionsSince: string;
  databaseVersion: string;
  deliverySlots: number;
  deliveryMaxAttempts: number;
};

export function DeliveriesAndRunsPage() {
  const service = useLive<{ services: { nodes: Service[] } }>("service");
  return (
    <>
      <Heading title="Deliveries and runs" beside={actions([retryRunsOfAll], {}, [])} />
      <div class="panel">
        {shown(service, ({ services: { nodes } }) => facts(nodes[0] ? serviceFacts(nodes[0]) : []))}
      </div>
      {section("Executors", shown(useLive<Executors>("executors"), executors))}
      <div class="columns">
        <div>{section("Runs waiting for an executor, by model", shown(useLive<RunQueues>("queues"), runQueues))}</div>
        <div>{section("Workers", shown(useLive<Workers>("workers"), workers))}</div>
      </div>
      {section("Worker jobs", shown(useLive<Jobs>("jobs"), jobs))}
      {section("Endpoints with pending deliveries", shown(useLive<DeliveryQueues>("delivery-queues"), deliveryQueues))}
    </>
  );
}

const lateMs = 60_000;

function serviceFacts(service: Service): Fact[] {
  const late = Date.now() - Date.parse(service.lastMaintenanceAt) > lateMs;
  return [
    [
      "Last maintenance",
      <span>
        <When at={service.lastMaintenanceAt} /> {late && badge("late", "bad")}
      </span>,
    ],
    [
      "Definitions",
      <span>
        <code>{service.definitions.slice(0, 12)}</code> since <When at={service.definitionsSince} />
      </span>,
    ],
    ["PostgreSQL", service.databaseVersion],
    ["Concurrent deliveries", count(service.deliverySlots)],
    ["Attempts per delivery", `at most ${count(service.deliveryMaxAttempts)}`],
  ];
}
