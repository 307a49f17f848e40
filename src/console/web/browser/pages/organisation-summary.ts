/** What stands out of an organisation: ceilings and what is used, what fails, what is under way, and how it came. */

import { html } from "../html.ts";
import { type Count, count, euros } from "../numbers.ts";
import { badge } from "../parts/badge.ts";
import { choice } from "../parts/choice.ts";
import { type Delivery, failedElsewhere } from "../parts/deliveries.ts";
import { use } from "../parts/facts.ts";
import { Plots } from "../parts/plots.ts";
import { toThing } from "../parts/rows.ts";
import { section } from "../parts/section.ts";
import { table } from "../parts/table.ts";
import type { Place } from "../place.ts";
import { spanOf, spans } from "../spans.ts";
import { When } from "../times.ts";
import { limitNames } from "../words.ts";

type Limit = { name: string; ceiling: Count; used: Count };
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
        ${section("limits", "Limits and what is used", limitList(of.limits.nodes))}
        ${section(
          "restrictions",
          "Kinds of claim it may not hold about third parties",
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
              { head: "Host", long: true, cell: ({ id, host }) => toThing("endpoints", id, host) },
              { head: "State", cell: ({ state }) => badge(state) },
              { head: "Failed in a row", number: true, cell: ({ consecutiveFailures }) => count(consecutiveFailures) },
            ],
            { key: ({ id }) => id, none: "It has no endpoint." },
          ),
        )}
        ${section("failed", "Deliveries that failed for good", table("Deliveries that failed", of.failedDeliveries.nodes, failedElsewhere, { key: ({ id }) => id, none: "None." }))}
        ${section("halted", "Runs that failed or are blocked", runList(of.haltedRuns.nodes, "None."))}
        ${section("open", "Runs under way", runList(of.openRuns.nodes, "None."))}
        ${section("spent", "Spent by month", spent(of.monthlyUsage.nodes))}
      </div>
    </div>
    <div class="heading"><h2>Over time</h2>${choice(
      "Span of the plots",
      "span",
      spans.map(({ name, words }) => [name, words]),
      span.name,
    )}</div>
    <${Plots} span=${span} organisation=${id} />`;
}

const order = Object.keys(limitNames);
const byName = (one: Limit, other: Limit) => order.indexOf(one.name) - order.indexOf(other.name);

function limitList(limits: Limit[]) {
  return html`<dl class="limits">
    ${limits.toSorted(byName).map(
      ({ name, ceiling, used }) => html`<div key=${name}>
        <dt>${limitNames[name] ?? name}</dt>
        <dd
          >${use(Number(used ?? 0), ceiling == null ? null : Number(ceiling), name.endsWith("MicroCents") ? euros : count)}</dd
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
      { head: "Run", long: true, cell: ({ id, bot }) => toThing("runs", id, bot?.name) },
      { head: "State", cell: ({ state }) => badge(state) },
      { head: "Of", cell: ({ error }) => error?.replaceAll("_", " ") ?? "–" },
      { head: "Begun", cell: ({ createdAt }) => html`<${When} at=${createdAt} />` },
    ],
    { key: ({ id }) => id, none },
  );
}

function spent(months: { month: string; spendMicroCents: string }[]) {
  return table(
    "Spent by month",
    months,
    [
      { head: "Month", cell: ({ month }) => month.slice(0, 7) },
      { head: "Spent", number: true, cell: ({ spendMicroCents }) => euros(spendMicroCents) },
    ],
    { key: ({ month }) => month, none: "Nothing yet." },
  );
}
