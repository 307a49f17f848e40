/** Tables of executors, workers, jobs and queues. */
import { html } from "../html.ts";
import { type Count, count } from "../numbers.ts";
import { badge } from "../parts/badge.ts";
import { linkTo, type Named, organisationLink } from "../parts/rows.ts";
import { table } from "../parts/table.ts";
import { When } from "../times.ts";

type Executor = { id: string; name: string; models: string[]; startedAt: string; lastSeenAt: string; silent: boolean };
type Worker = { pid: number; connectedAt: string; runningJobs: Count };
type Job = { task: string; waiting: Count; running: Count; retrying: Count; failed: Count; dueSince: string | null };
type RunQueue = { model: string; waiting: Count; waitingSince: string; oldestRunId: string; executors: Count };
type DeliveryQueue = {
  dueAt: string;
  overdue: boolean;
  organisation: Named;
  endpoint: { id: string; host: string; state: string } | null;
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
      { head: "Executor", long: true, cell: ({ name }) => name },
      { head: "State", cell: ({ silent }) => badge(silent ? "silent" : "alive") },
      { head: "Models", long: true, cell: (executor) => models(executor.models) },
      { head: "Last heartbeat", cell: ({ lastSeenAt }) => html`<${When} at=${lastSeenAt} />` },
      { head: "Started", cell: ({ startedAt }) => html`<${When} at=${startedAt} />` },
    ],
    { key: ({ id }) => id, none: "No executor had a heartbeat within the last hour. No runs are executed." },
  );

export const workers = ({ workers: { nodes } }: Workers) =>
  table(
    "Workers",
    nodes,
    [
      { head: "Worker", cell: ({ pid }) => html`<span>session <code>${pid}</code></span>` },
      { head: "State", cell: () => badge("alive") },
      { head: "Running jobs", number: true, cell: ({ runningJobs }) => count(runningJobs) },
      { head: "Connected", cell: ({ connectedAt }) => html`<${When} at=${connectedAt} />` },
    ],
    { key: ({ pid }) => String(pid), none: "No live workers. No deliveries or emails are sent." },
  );

export const jobs = ({ jobs: { nodes } }: Jobs) =>
  table(
    "Jobs by task",
    nodes,
    [
      { head: "Job", cell: ({ task }) => task.replaceAll("_", " ") },
      { head: "Waiting", number: true, cell: ({ waiting }) => count(waiting) },
      { head: "Running", number: true, cell: ({ running }) => count(running) },
      { head: "Retrying", number: true, cell: ({ retrying }) => count(retrying) },
      { head: "Failed", number: true, cell: ({ failed }) => count(failed) },
      { head: "Due since", cell: ({ dueSince }) => html`<${When} at=${dueSince} />` },
    ],
    { key: ({ task }) => task, none: "No jobs." },
  );

export const runQueues = ({ runQueues: { nodes } }: RunQueues) =>
  table(
    "Runs waiting for an executor",
    nodes,
    [
      { head: "Model", long: true, cell: ({ model }) => model },
      { head: "Waiting", number: true, cell: ({ waiting }) => count(waiting) },
      {
        head: "Oldest",
        cell: ({ oldestRunId, waitingSince }) => linkTo("runs", oldestRunId, html`<${When} at=${waitingSince} />`),
      },
      {
        head: "Executors",
        number: true,
        cell: ({ executors: serving }) => (Number(serving) === 0 ? badge("none", "bad") : count(serving)),
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
        head: "Endpoint",
        long: true,
        cell: ({ endpoint }) => endpoint && linkTo("endpoints", endpoint.id, endpoint.host),
      },
      { head: "Organisation", long: true, cell: ({ organisation }) => organisationLink(organisation) },
      { head: "State", cell: ({ endpoint }) => endpoint && badge(endpoint.state) },
      {
        head: "Next due",
        cell: ({ dueAt, overdue }) => html`<span><${When} at=${dueAt} /> ${overdue && badge("overdue", "warn")}</span>`,
      },
    ],
    { key: ({ endpoint }) => endpoint?.id ?? "", none: "No pending deliveries." },
  );
