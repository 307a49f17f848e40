/** Tables of executors, workers and jobs. */
import { type Count, count } from "../numbers.ts";
import { badge } from "../parts/badge.tsx";
import { table } from "../parts/table.tsx";
import { When } from "../times.tsx";

type Executor = { id: string; name: string; models: string[]; startedAt: string; lastSeenAt: string; silent: boolean };
type Worker = { pid: number; connectedAt: string; runningJobs: Count };
type Job = { task: string; waiting: Count; running: Count; retrying: Count; failed: Count; dueSince: string | null };

export type Executors = { executors: { nodes: Executor[] } };
export type Workers = { workers: { nodes: Worker[] } };
export type Jobs = { jobs: { nodes: Job[] } };

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
