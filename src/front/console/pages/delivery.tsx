/** A delivery and its attempts. */

import { Id } from "../../parts/id.tsx";
import { outcome } from "../labels.ts";
import { useLive } from "../live.ts";
import { ms } from "../numbers.ts";
import { badge } from "../parts/badge.tsx";
import { when } from "../parts/columns.tsx";
import type { Delivery } from "../parts/deliveries.tsx";
import { type Endpoint, EndpointName } from "../parts/endpoints.tsx";
import { facts } from "../parts/facts.tsx";
import { Heading } from "../parts/heading.tsx";
import { type Named, notFound, organisationLink } from "../parts/rows.tsx";
import { section } from "../parts/section.tsx";
import { shownPage } from "../parts/states.tsx";
import { table } from "../parts/table.tsx";
import { type Moment, Timeline } from "../parts/timeline.tsx";
import type { PageProps } from "../place.ts";
import { When } from "../times.tsx";

type Attempt = {
  number: number;
  trigger: string;
  startedAt: string;
  durationMs: number | null;
  statusCode: number | null;
  failure: string | null;
};
type Data = {
  delivery:
    | (Delivery & {
        organisation: Named;
        state: string;
        trigger: string;
        eventId: string;
        leaseUntil: string | null;
        lastAttemptAt: string | null;
        endpoint: (Endpoint & { status: string }) | null;
        attemptLog: { nodes: Attempt[] };
      })
    | null;
};

const succeeded = ({ statusCode }: Attempt) => statusCode !== null && statusCode >= 200 && statusCode < 300;

function momentsOf(delivery: NonNullable<Data["delivery"]>): Moment[] {
  return [
    { at: delivery.createdAt, what: "Created" },
    ...delivery.attemptLog.nodes.map(
      (attempt): Moment => ({
        at: attempt.startedAt,
        what: `Attempt ${attempt.number} ${succeeded(attempt) ? "succeeded" : "failed"}: ${outcome(attempt.statusCode, attempt.failure)}`,
        tone: succeeded(attempt) ? "good" : "bad",
      }),
    ),
    { at: delivery.deliveredAt, what: "Delivered", tone: "good" },
    { at: delivery.state === "pending" ? delivery.nextAttemptAt : null, what: "Next attempt", tone: "busy" },
  ];
}

export function DeliveryPage({ params }: PageProps) {
  const answer = useLive<Data>("delivery", { id: params.id });
  return shownPage("Delivery", answer, ({ delivery }) => {
    if (!delivery) return notFound("delivery", params.id);
    const { endpoint } = delivery;
    return (
      <>
        <Heading kind="Delivery" title={delivery.event}>
          <div class="under">
            {badge(delivery.state)} {organisationLink(delivery.organisation)} <Id value={delivery.id} />
          </div>
        </Heading>
        <div class="panel">
          {facts([
            [
              "To",
              endpoint && (
                <span>
                  <EndpointName {...endpoint} /> {badge(endpoint.status)}
                </span>
              ),
            ],
            ["Event", <Id value={delivery.eventId} />],
            ["Attempts", `${delivery.attempts} of ${delivery.maxAttempts}`],
            ["Trigger", delivery.trigger],
            ["Last outcome", outcome(delivery.lastStatusCode, delivery.lastFailure)],
            ["Created", <When at={delivery.createdAt} />],
            delivery.state === "pending" && ["Next attempt", <When at={delivery.nextAttemptAt} />],
            delivery.leaseUntil && ["Leased until", <When at={delivery.leaseUntil} />],
            ["Delivered", <When at={delivery.deliveredAt} none="not yet" />],
          ])}
        </div>
        <Timeline moments={momentsOf(delivery)} />
        {section(
          "Attempts",
          table(
            "Attempts, oldest first",
            delivery.attemptLog.nodes,
            [
              { key: "attempt", title: "Attempt", sortBy: ({ number }) => number, render: ({ number }) => number },
              when("Started", "startedAt"),
              {
                key: "duration",
                title: "Duration",
                number: true,
                sortBy: ({ durationMs }) => Number(durationMs ?? 0),
                render: ({ durationMs }) => ms(durationMs),
              },
              {
                key: "outcome",
                title: "Outcome",
                long: true,
                render: (attempt) => (
                  <span>
                    {badge(succeeded(attempt) ? "succeeded" : "failed", succeeded(attempt) ? "good" : "bad")}{" "}
                    {outcome(attempt.statusCode, attempt.failure)}
                  </span>
                ),
              },
              { key: "trigger", title: "Trigger", sortBy: ({ trigger }) => trigger, render: ({ trigger }) => trigger },
            ],
            {
              key: ({ number }) => String(number),
              none: "No attempt yet. A worker makes the first attempt when the delivery is due.",
              start: <a href="/deliveries-and-runs">Show the workers</a>,
            },
          ),
        )}
      </>
    );
  });
}
