/** Columns of runs. */
import { html } from "../html.ts";
import { count, euros } from "../numbers.ts";
import { When } from "../times.ts";
import { badge } from "./badge.ts";
import { shortId } from "./ids.ts";
import type { Column } from "./table.ts";

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
    head: "Run",
    cell: ({ id, bot }) =>
      html`<span><a href=${`/runs/${id}`}>${bot?.name ?? "Run"}</a> <code class="quiet">${shortId(id)}</code></span>`,
  },
  {
    head: "State",
    cell: ({ state, error }) =>
      html`<span>${badge(state)}${error && html` <span class="quiet">${error.replaceAll("_", " ")}</span>`}</span>`,
  },
  { head: "Trigger", cell: ({ trigger, taint }) => (taint ? `${trigger}, tainted` : trigger) },
  { head: "Steps", number: true, cell: ({ steps }) => count(steps) },
  { head: "Cost", number: true, cell: ({ spendMicroCents }) => euros(spendMicroCents) },
  { head: "Started", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
  { head: "Ended", cell: ({ finishedAt }) => html`<${When} at=${finishedAt} />` },
];
