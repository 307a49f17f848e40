/** Tables of executors, workers and jobs. */
import { CodeBlock } from "../../parts/id.tsx";
import { type Count, count } from "../numbers.ts";
import { badge } from "../parts/badge.tsx";
import { number, when } from "../parts/columns.tsx";
import { table } from "../parts/table.tsx";

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
      when("Last heartbeat", "lastSeenAt"),
      when("Started", "startedAt"),
    ],
    {
      key: ({ id }) => id,
      none: "No executor had a heartbeat within the last hour. No runs are executed. A worker has an executor.",
      start: <CodeBlock text="npx botstead worker" label="command" />,
    },
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
      number("Running jobs", "runningJobs"),
      when("Connected", "connectedAt"),
    ],
    {
      key: ({ pid }) => String(pid),
      none: "No live workers. No deliveries or emails are sent.",
      start: <CodeBlock text="npx botstead worker" label="command" />,
    },
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
      number("Waiting", "waiting"),
      number("Running", "running"),
      number("Retrying", "retrying"),
      number("Failed", "failed"),
      when("Due since", "dueSince"),
    ],
    { key: ({ task }) => task, none: "No jobs. A delivery, an email or maintenance that waits for a worker is a job." },
  );
