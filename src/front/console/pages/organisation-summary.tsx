/** Summary of an organisation: limits, failures, current work and plots. */

import type { ComponentChildren as Shown } from "preact";
import { LimitList } from "../../parts/limit-list.tsx";
import { emptyState, type Purpose } from "../../parts/page.tsx";
import { type Count, count, euros } from "../numbers.ts";
import { badge } from "../parts/badge.tsx";
import { choice } from "../parts/choice.tsx";
import { number, when } from "../parts/columns.tsx";
import { type Delivery, failedDeliveryColumns } from "../parts/deliveries.tsx";
import { addressOf, type Endpoint, EndpointName } from "../parts/endpoints.tsx";
import { Plots } from "../parts/plots.tsx";
import { linkTo, tabLink } from "../parts/rows.tsx";
import { section } from "../parts/section.tsx";
import { table } from "../parts/table.tsx";
import type { Place } from "../place.ts";
import { spanOf, spans } from "../time-ranges.ts";

export type Limit = {
  name: string;
  position: number;
  label: string;
  unit: "count" | "micro-cents";
  maximum: Count;
  used: Count;
};
type EndpointRow = Endpoint & { status: string; consecutiveFailures: number };
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
  endpoints: { nodes: EndpointRow[] };
  haltedRuns: { nodes: Run[] };
  openRuns: { nodes: Run[] };
  failedDeliveries: { nodes: Delivery[] };
  restrictions: { nodes: { kind: string }[] };
};

type Props = { of: Summary; id: string; place: Place; start: (action: string) => Shown };

/** @param start the button of an operator action, by its name */
export function OrganisationSummary({ of, id, place, start }: Props) {
  const span = spanOf(place.query.get("span"));
  const live = of.endpoints.nodes.filter(({ status }) => status !== "deleted");
  return (
    <>
      <div class="columns">
        <div>
          {section("Limits and use", limitList(of.limits.nodes))}
          {section(
            "Forbidden kinds of memory about third parties",
            of.restrictions.nodes.length > 0 ? (
              <p class="padded">{of.restrictions.nodes.map(({ kind }) => kind).join(", ")}</p>
            ) : (
              emptyState("No forbidden kinds. Memories of a forbidden kind are refused.", start("restrictKind"))
            ),
          )}
        </div>
        <div>
          {section(
            "Endpoints",
            table(
              "Endpoints",
              live,
              [
                {
                  key: "host",
                  title: "Endpoint",
                  long: true,
                  sortBy: addressOf,
                  render: (endpoint) => <EndpointName {...endpoint} />,
                },
                { key: "state", title: "State", sortBy: ({ status }) => status, render: ({ status }) => badge(status) },
                number("Consecutive failures", "consecutiveFailures"),
              ],
              {
                key: ({ id }) => id,
                none: "No endpoints. An endpoint receives the events of the organisation.",
                start: tabLink("members", "View the portal as a member"),
              },
            ),
          )}
          {section(
            "Failed deliveries",
            table("Failed deliveries", of.failedDeliveries.nodes, failedDeliveryColumns, {
              key: ({ id }) => id,
              none: "No failed deliveries. A delivery has failed after its last attempt.",
              start: tabLink("deliveries", "Show all deliveries"),
            }),
          )}
          {section(
            "Failed and blocked runs",
            runList(of.haltedRuns.nodes, "No failed or blocked runs. A blocked run waits for a person."),
          )}
          {section("Open runs", runList(of.openRuns.nodes, "No open runs. A run is open until it has ended."))}
          {section("Spending by month", spending(of.monthlyUsage.nodes))}
        </div>
      </div>
      <div class="heading">
        <h2>Over time</h2>
        {choice(
          "Time span of the plots",
          "span",
          spans.map(({ name, label }) => [name, label]),
          span.name,
        )}
      </div>
      <Plots span={span} organisation={id} />
    </>
  );
}

function limitList(limits: Limit[]) {
  const shown = limits
    .toSorted((one, other) => one.position - other.position)
    .map(({ name, label, unit, maximum, used }) => ({
      ...{ name, label, used: Number(used ?? 0), limit: maximum == null ? null : Number(maximum) },
      show: unit === "micro-cents" ? euros : count,
    }));
  return <LimitList limits={shown} />;
}

function runList(runs: Run[], none: Purpose) {
  return table(
    "Runs",
    runs,
    [
      {
        key: "run",
        title: "Run",
        long: true,
        sortBy: ({ bot }) => bot?.name,
        render: ({ id, bot }) => linkTo("runs", id, bot?.name),
      },
      { key: "state", title: "State", sortBy: ({ state }) => state, render: ({ state }) => badge(state) },
      {
        key: "error",
        title: "Error",
        sortBy: ({ error }) => error,
        render: ({ error }) => error?.replaceAll("_", " ") ?? "–",
      },
      when("Started", "createdAt"),
    ],
    { key: ({ id }) => id, none, start: tabLink("runs", "Show all runs") },
  );
}

function spending(months: { month: string; spendMicroCents: string }[]) {
  return table(
    "Spending by month",
    months,
    [
      { key: "month", title: "Month", sortBy: ({ month }) => month, render: ({ month }) => month.slice(0, 7) },
      {
        key: "spending",
        title: "Spending",
        number: true,
        sortBy: ({ spendMicroCents }) => Number(spendMicroCents ?? 0),
        render: ({ spendMicroCents }) => euros(spendMicroCents),
      },
    ],
    {
      key: ({ month }) => month,
      none: "No spending yet. The calls of models cost what their prices say.",
      start: tabLink("runs", "Show the runs"),
    },
  );
}
