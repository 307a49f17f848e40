/** Columns of runs. */

import { shortId } from "../../parts/id.tsx";
import { cost, count } from "../numbers.ts";
import { badge } from "./badge.tsx";
import { when } from "./columns.tsx";
import type { Column } from "./table.tsx";

export type Run = {
  id: string;
  state: string;
  trigger: string;
  taint: boolean;
  steps: number;
  spendMicroCents: string;
  error: string | null;
  createdAt: string;
  finishedAt: string | null;
  bot: { name: string } | null;
};

export const runColumns: Column<Run>[] = [
  {
    key: "run",
    phone: "title",
    title: "Run",
    text: ({ id }) => id,
    render: ({ id, bot }) => (
      <span>
        <a href={`/runs/${id}`}>{bot?.name ?? "Run"}</a> <code class="quiet">{shortId(id)}</code>
      </span>
    ),
  },
  {
    key: "state",
    phone: "state",
    title: "State",
    sortBy: ({ state }) => state,
    order: "STATE",
    render: ({ state, error }) => (
      <span>
        {badge(state)}
        {error && <span class="quiet">{error.replaceAll("_", " ")}</span>}
      </span>
    ),
  },
  {
    key: "trigger",
    title: "Trigger",
    sortBy: ({ trigger }) => trigger,
    order: "TRIGGER",
    render: ({ trigger, taint }) => (taint ? `${trigger}, tainted` : trigger),
  },
  {
    key: "steps",
    title: "Steps",
    number: true,
    sortBy: ({ steps }) => Number(steps ?? 0),
    order: "STEPS",
    render: ({ steps }) => count(steps),
  },
  {
    key: "cost",
    title: "Cost",
    number: true,
    sortBy: ({ spendMicroCents }) => Number(spendMicroCents ?? 0),
    order: "SPEND_MICRO_CENTS",
    render: ({ spendMicroCents }) => cost(spendMicroCents),
  },
  { ...when("Started", "createdAt"), phone: "time" },
  when("Ended", "finishedAt"),
];
