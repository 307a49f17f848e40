/** The tables of who works and what waits. */
import { html } from "../html.ts";
import { type Count, count } from "../numbers.ts";
import { badge } from "../parts/badge.ts";
import { type Named, toOrganisation, toThing } from "../parts/rows.ts";
import { table } from "../parts/table.ts";
import { When } from "../times.ts";

type Executor = { id: string; name: string; models: string[]; startedAt: string; lastSeenAt: string; silent: boolean };
type Worker = { pid: number; connectedAt: string; jobsInHand: Count };
type Job = { task: string; waiting: Count; taken: Count; failing: Count; givenUp: Count; dueSince: string | null };
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
  const told = names.slice(0, 4).join(", ");
  return names.length > 4 ? `${told} and ${count(names.length - 4)} more` : told;
};

export const executors = ({ executors: { nodes } }: Executors) =>
  table(
    "Executors",
    nodes,
    [
      { head: "Executor", long: true, cell: ({ name }) => name },
      { head: "State", cell: ({ silent }) => badge(silent ? "silent" : "alive") },
      { head: "Models", long: true, cell: (executor) => models(executor.models) },
      { head: "Last heard of", cell: ({ lastSeenAt }) => html`<${When} at=${lastSeenAt} />` },
      { head: "Began", cell: ({ startedAt }) => html`<${When} at=${startedAt} />` },
    ],
    { key: ({ id }) => id, none: "No executor has been heard of within the hour: no run is being carried out." },
  );

export const workers = ({ workers: { nodes } }: Workers) =>
  table(
    "Workers",
    nodes,
    [
      { head: "Worker", cell: ({ pid }) => html`<span>session <code>${pid}</code></span>` },
      { head: "State", cell: () => badge("alive") },
      { head: "Jobs in hand", number: true, cell: ({ jobsInHand }) => count(jobsInHand) },
      { head: "Connected", cell: ({ connectedAt }) => html`<${When} at=${connectedAt} />` },
    ],
    { key: ({ pid }) => String(pid), none: "No worker is alive: nothing is delivered and no mail is sent." },
  );

export const jobs = ({ jobs: { nodes } }: Jobs) =>
  table(
    "Jobs by what they do",
    nodes,
    [
      { head: "Job", cell: ({ task }) => task.replaceAll("_", " ") },
      { head: "Waiting", number: true, cell: ({ waiting }) => count(waiting) },
      { head: "Taken", number: true, cell: ({ taken }) => count(taken) },
      { head: "Failing", number: true, cell: ({ failing }) => count(failing) },
      { head: "Given up", number: true, cell: ({ givenUp }) => count(givenUp) },
      { head: "Due since", cell: ({ dueSince }) => html`<${When} at=${dueSince} />` },
    ],
    { key: ({ task }) => task, none: "No job waits." },
  );

export const runQueues = ({ runQueues: { nodes } }: RunQueues) =>
  table(
    "Runs that wait for an executor",
    nodes,
    [
      { head: "Model", long: true, cell: ({ model }) => model },
      { head: "Waiting", number: true, cell: ({ waiting }) => count(waiting) },
      {
        head: "Oldest",
        cell: ({ oldestRunId, waitingSince }) => toThing("runs", oldestRunId, html`<${When} at=${waitingSince} />`),
      },
      {
        head: "Executors",
        number: true,
        cell: ({ executors: serving }) => (Number(serving) === 0 ? badge("none", "bad") : count(serving)),
      },
    ],
    { key: ({ model }) => model, none: "No run waits." },
  );

export const deliveryQueues = ({ deliveryQueues: { nodes } }: DeliveryQueues) =>
  table(
    "Endpoints at which deliveries wait",
    nodes,
    [
      {
        head: "Endpoint",
        long: true,
        cell: ({ endpoint }) => endpoint && toThing("endpoints", endpoint.id, endpoint.host),
      },
      { head: "Of", long: true, cell: ({ organisation }) => toOrganisation(organisation) },
      { head: "State", cell: ({ endpoint }) => endpoint && badge(endpoint.state) },
      {
        head: "Next is due",
        cell: ({ dueAt, overdue }) => html`<span><${When} at=${dueAt} /> ${overdue && badge("overdue", "warn")}</span>`,
      },
    ],
    { key: ({ endpoint }) => endpoint?.id ?? "", none: "No delivery waits." },
  );
