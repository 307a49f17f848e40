/** Summary of an organisation: limits, failures, current work and plots. */

import { html } from "../html.ts";
import { type Count, count, euros } from "../numbers.ts";
import { badge } from "../parts/badge.ts";
import { choice } from "../parts/choice.ts";
import { type Delivery, failedDeliveryColumns } from "../parts/deliveries.ts";
import { use } from "../parts/facts.ts";
import { Plots } from "../parts/plots.ts";
import { linkTo } from "../parts/rows.ts";
import { section } from "../parts/section.ts";
import { table } from "../parts/table.ts";
import type { Place } from "../place.ts";
import { spanOf, spans } from "../time-ranges.ts";
import { When } from "../times.ts";

export type Limit = {
  name: string;
  position: number;
  label: string;
  unit: "count" | "micro-cents";
  maximum: Count;
  used: Count;
};
type Endpoint = { id: string; host: string; state: string; consecutiveFailures: number; deletedAt: string | null };
type Run = {
  id: string;
  state: string;
  createdAt: string;
  error?: string | null;
  bot: { name: string } | null;
};

export type Summary = {
  limits: { nodes: Limit[] };
  monthlyUsage: { nodes: { month: string; spendMicroCents: string }[] };
  endpoints: { nodes: Endpoint[] };
  haltedRuns: { nodes: Run[] };
  openRuns: { nodes: Run[] };
  failedDeliveries: { nodes: Delivery[] };
  restrictions: { nodes: { kind: string }[] };
};

export function OrganisationSummary({ of, id, place }: { of: Summary; id: string; place: Place }) {
  const span = spanOf(place.query.get("span"));
  const live = of.endpoints.nodes.filter(({ deletedAt }) => !deletedAt);
  return html`<div class="columns">
      <div>
        ${section("limits", "Limits and use", limitList(of.limits.nodes))}
        ${section(
          "restrictions",
          "Forbidden kinds of memory about third parties",
          html`<p class="empty">${of.restrictions.nodes.map(({ kind }) => kind).join(", ") || "None."}</p>`,
        )}
      </div>
      <div>
        ${section(
          "endpoints",
          "Endpoints",
          table(
            "Endpoints",
            live,
            [
              { head: "Host", long: true, cell: ({ id, host }) => linkTo("endpoints", id, host) },
              { head: "State", cell: ({ state }) => badge(state) },
              {
                head: "Consecutive failures",
                number: true,
                cell: ({ consecutiveFailures }) => count(consecutiveFailures),
              },
            ],
            { key: ({ id }) => id, none: "No endpoints." },
          ),
        )}
        ${section("failed", "Failed deliveries", table("Failed deliveries", of.failedDeliveries.nodes, failedDeliveryColumns, { key: ({ id }) => id, none: "None." }))}
        ${section("halted", "Failed and blocked runs", runList(of.haltedRuns.nodes, "None."))}
        ${section("open", "Open runs", runList(of.openRuns.nodes, "None."))}
        ${section("spending", "Spending by month", spending(of.monthlyUsage.nodes))}
      </div>
    </div>
    <div class="heading"><h2>Over time</h2>${choice(
      "Time span of the plots",
      "span",
      spans.map(({ name, label }) => [name, label]),
      span.name,
    )}</div>
    <${Plots} span=${span} organisation=${id} />`;
}

function limitList(limits: Limit[]) {
  return html`<dl class="limits">
    ${limits
      .toSorted((one, other) => one.position - other.position)
      .map(
        ({ name, label, unit, maximum, used }) => html`<div key=${name}>
        <dt>${label}</dt>
        <dd
          >${use(Number(used ?? 0), maximum == null ? null : Number(maximum), unit === "micro-cents" ? euros : count)}</dd
        >
      </div>`,
      )}
  </dl>`;
}

function runList(runs: Run[], none: string) {
  return table(
    "Runs",
    runs,
    [
      { head: "Run", long: true, cell: ({ id, bot }) => linkTo("runs", id, bot?.name) },
      { head: "State", cell: ({ state }) => badge(state) },
      { head: "Error", cell: ({ error }) => error?.replaceAll("_", " ") ?? "–" },
      { head: "Started", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
    ],
    { key: ({ id }) => id, none },
  );
}

function spending(months: { month: string; spendMicroCents: string }[]) {
  return table(
    "Spending by month",
    months,
    [
      { head: "Month", cell: ({ month }) => month.slice(0, 7) },
      { head: "Spending", number: true, cell: ({ spendMicroCents }) => euros(spendMicroCents) },
    ],
    { key: ({ month }) => month, none: "No spending yet." },
  );
}
