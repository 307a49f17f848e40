/** Tables of the queues of runs and deliveries. */
import { type Count, count } from "../numbers.ts";
import { badge } from "../parts/badge.tsx";
import { number } from "../parts/columns.tsx";
import { addressOf, type Endpoint, EndpointName } from "../parts/endpoints.tsx";
import { linkTo, type Named, organisationLink } from "../parts/rows.tsx";
import { type Column, table } from "../parts/table.tsx";
import { When } from "../times.tsx";

type RunQueue = { model: string; waiting: Count; waitingSince: string; oldestRunId: string; executors: Count };
type DeliveryQueue = {
  dueAt: string;
  overdue: boolean;
  organisation: Named;
  endpoint: (Endpoint & { status: string }) | null;
};

export type RunQueues = { runQueues: { nodes: RunQueue[] } };
export type DeliveryQueues = { deliveryQueues: { nodes: DeliveryQueue[] } };

export const runQueues = ({ runQueues: { nodes } }: RunQueues) =>
  table(
    "Runs waiting for an executor",
    nodes,
    [
      { key: "model", title: "Model", long: true, sortBy: ({ model }) => model, render: ({ model }) => model },
      number("Waiting", "waiting"),
      {
        key: "oldest",
        title: "Oldest",
        render: ({ oldestRunId, waitingSince }) => linkTo("runs", oldestRunId, <When at={waitingSince} />),
      },
      {
        key: "executors",
        title: "Executors",
        number: true,
        render: ({ executors: serving }) => (Number(serving) === 0 ? badge("none", "bad") : count(serving)),
      },
    ],
    { key: ({ model }) => model, none: "No waiting runs. A run waits until an executor of its model leases it." },
  );

const queueColumns: Column<DeliveryQueue>[] = [
  {
    key: "endpoint",
    title: "Endpoint",
    long: true,
    sortBy: ({ endpoint }) => endpoint && addressOf(endpoint),
    render: ({ endpoint }) => endpoint && <EndpointName {...endpoint} />,
  },
  {
    key: "organisation",
    title: "Organisation",
    long: true,
    sortBy: ({ organisation }) => organisation?.name,
    render: ({ organisation }) => organisationLink(organisation),
  },
  {
    key: "state",
    title: "State",
    sortBy: ({ endpoint }) => endpoint?.status,
    render: ({ endpoint }) => endpoint && badge(endpoint.status),
  },
  {
    key: "next-due",
    title: "Next due",
    sortBy: ({ dueAt }) => dueAt,
    render: ({ dueAt, overdue }) => (
      <span>
        <When at={dueAt} /> {overdue && badge("overdue", "warn")}
      </span>
    ),
  },
];

export const deliveryQueues = ({ deliveryQueues: { nodes } }: DeliveryQueues) =>
  table("Endpoints with pending deliveries", nodes, queueColumns, {
    key: ({ endpoint }) => endpoint?.id ?? "",
    none: "No pending deliveries. An endpoint is listed while deliveries to it wait.",
  });
