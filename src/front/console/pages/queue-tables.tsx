/** Tables of executors, workers, jobs and queues. */
import { type Count, count } from "../numbers.ts";
import { badge } from "../parts/badge.tsx";
import { type EndpointState, endpointBadge, stateOfEndpoint } from "../parts/endpoints.tsx";
import { linkTo, type Named, organisationLink } from "../parts/rows.tsx";
import { table } from "../parts/table.tsx";
import { When } from "../times.tsx";

type Executor = { id: string; name: string; models: string[]; startedAt: string; lastSeenAt: string; silent: boolean };
type Worker = { pid: number; connectedAt: string; runningJobs: Count };
type Job = { task: string; waiting: Count; running: Count; retrying: Count; failed: Count; dueSince: string | null };
type RunQueue = { model: string; waiting: Count; waitingSince: string; oldestRunId: string; executors: Count };
type DeliveryQueue = {
  dueAt: string;
  overdue: boolean;
  organisation: Named;
  endpoint: (EndpointState & { id: string; host: string }) | null;
};

export type Executors = { executors: { nodes: Executor[] } };
export type Workers = { workers: { nodes: Worker[] } };
export type Jobs = { jobs: { nodes: Job[] } };
export type RunQueues = { runQueues: { nodes: RunQueue[] } };
export type DeliveryQueues = { deliveryQueues: { nodes: DeliveryQueue[] } };

const models = (names: string[]) => {
  const first = names.slice(0, 4).join(", ");
  return names.length > 4 ? `${first} and ${count(names.length - 4)} more` : first;
};

export const executors = ({ executors: { nodes } }: Executors) =>
  table(
    "Executors",
    nodes,
    [
      { key: "executor", title: "Executor", long: true, sortBy: ({ name }) => name, render: ({ name }) => name },
      {
        key: "state",
        title: "State",
        sortBy: ({ silent }) => (silent ? "silent" : "alive"),
        render: ({ silent }) => badge(silent ? "silent" : "alive"),
      },
      { key: "models", title: "Models", long: true, render: (executor) => models(executor.models) },
      {
        key: "last-heartbeat",
        title: "Last heartbeat",
        sortBy: ({ lastSeenAt }) => lastSeenAt,
        render: ({ lastSeenAt }) => <When at={lastSeenAt} />,
      },
      {
        key: "started",
        title: "Started",
        sortBy: ({ startedAt }) => startedAt,
        render: ({ startedAt }) => <When at={startedAt} />,
      },
    ],
    { key: ({ id }) => id, none: "No executor had a heartbeat within the last hour. No runs are executed." },
  );

export const workers = ({ workers: { nodes } }: Workers) =>
  table(
    "Workers",
    nodes,
    [
      {
        key: "worker",
        title: "Worker",
        render: ({ pid }) => (
          <span>
            session <code>{pid}</code>
          </span>
        ),
      },
      { key: "state", title: "State", render: () => badge("alive") },
      {
        key: "running-jobs",
        title: "Running jobs",
        number: true,
        sortBy: ({ runningJobs }) => Number(runningJobs ?? 0),
        render: ({ runningJobs }) => count(runningJobs),
      },
      {
        key: "connected",
        title: "Connected",
        sortBy: ({ connectedAt }) => connectedAt,
        render: ({ connectedAt }) => <When at={connectedAt} />,
      },
    ],
    { key: ({ pid }) => String(pid), none: "No live workers. No deliveries or emails are sent." },
  );

export const jobs = ({ jobs: { nodes } }: Jobs) =>
  table(
    "Jobs by task",
    nodes,
    [
      {
        key: "job",
        title: "Job",
        sortBy: ({ task }) => task.replaceAll("_", " "),
        render: ({ task }) => task.replaceAll("_", " "),
      },
      {
        key: "waiting",
        title: "Waiting",
        number: true,
        sortBy: ({ waiting }) => Number(waiting ?? 0),
        render: ({ waiting }) => count(waiting),
      },
      {
        key: "running",
        title: "Running",
        number: true,
        sortBy: ({ running }) => Number(running ?? 0),
        render: ({ running }) => count(running),
      },
      {
        key: "retrying",
        title: "Retrying",
        number: true,
        sortBy: ({ retrying }) => Number(retrying ?? 0),
        render: ({ retrying }) => count(retrying),
      },
      {
        key: "failed",
        title: "Failed",
        number: true,
        sortBy: ({ failed }) => Number(failed ?? 0),
        render: ({ failed }) => count(failed),
      },
      {
        key: "due-since",
        title: "Due since",
        sortBy: ({ dueSince }) => dueSince,
        render: ({ dueSince }) => <When at={dueSince} />,
      },
    ],
    { key: ({ task }) => task, none: "No jobs." },
  );

export const runQueues = ({ runQueues: { nodes } }: RunQueues) =>
  table(
    "Runs waiting for an executor",
    nodes,
    [
      { key: "model", title: "Model", long: true, sortBy: ({ model }) => model, render: ({ model }) => model },
      {
        key: "waiting",
        title: "Waiting",
        number: true,
        sortBy: ({ waiting }) => Number(waiting ?? 0),
        render: ({ waiting }) => count(waiting),
      },
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
    { key: ({ model }) => model, none: "No waiting runs." },
  );

export const deliveryQueues = ({ deliveryQueues: { nodes } }: DeliveryQueues) =>
  table(
    "Endpoints with pending deliveries",
    nodes,
    [
      {
        key: "endpoint",
        title: "Endpoint",
        long: true,
        sortBy: ({ endpoint }) => endpoint?.host,
        render: ({ endpoint }) => endpoint && linkTo("endpoints", endpoint.id, endpoint.host),
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
        sortBy: ({ endpoint }) => endpoint && stateOfEndpoint(endpoint),
        render: ({ endpoint }) => endpoint && endpointBadge(endpoint),
      },
      {
        key: "next-due",
        title: "Next due",
        render: ({ dueAt, overdue }) => (
          <span>
            <When at={dueAt} /> {overdue && badge("overdue", "warn")}
          </span>
        ),
      },
    ],
    { key: ({ endpoint }) => endpoint?.id ?? "", none: "No pending deliveries." },
  );
