/** A delivery and its attempts. */
import { html } from "../html.ts";
import { outcome } from "../labels.ts";
import { useLive } from "../live.ts";
import { ms } from "../numbers.ts";
import { badge } from "../parts/badge.ts";
import type { Delivery } from "../parts/deliveries.ts";
import { facts } from "../parts/facts.ts";
import { Heading } from "../parts/heading.ts";
import { Id } from "../parts/ids.ts";
import { linkTo, type Named, notFound, organisationLink } from "../parts/rows.ts";
import { section } from "../parts/section.ts";
import { shown } from "../parts/states.ts";
import { table } from "../parts/table.ts";
import type { PageProps } from "../place.ts";
import { When } from "../times.ts";

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
        endpoint: { id: string; host: string; state: string } | null;
        attemptLog: { nodes: Attempt[] };
      })
    | null;
};

const succeeded = ({ statusCode }: Attempt) => statusCode !== null && statusCode >= 200 && statusCode < 300;

export function DeliveryPage({ params }: PageProps) {
  const answer = useLive<Data>("delivery", { id: params.id });
  return shown(answer, ({ delivery }) => {
    if (!delivery) return notFound("delivery", params.id);
    const { endpoint } = delivery;
    return html`<${Heading}
        kind="Delivery"
        title=${delivery.event}
      >
        <div class="under">${badge(delivery.state)} ${organisationLink(delivery.organisation)} <${Id} id=${delivery.id} /></div>
      <//>
      <div class="panel">${facts([
        [
          "To",
          endpoint && html`<span>${linkTo("endpoints", endpoint.id, endpoint.host)} ${badge(endpoint.state)}</span>`,
        ],
        ["Event", html`<${Id} id=${delivery.eventId} />`],
        ["Attempts", `${delivery.attempts} of ${delivery.maxAttempts}`],
        ["Trigger", delivery.trigger],
        ["Last outcome", outcome(delivery.lastStatusCode, delivery.lastFailure)],
        ["Created", html`<${When} at=${delivery.createdAt} />`],
        delivery.state === "pending" && ["Next attempt", html`<${When} at=${delivery.nextAttemptAt} />`],
        delivery.leaseUntil && ["Leased until", html`<${When} at=${delivery.leaseUntil} />`],
        ["Delivered", html`<${When} at=${delivery.deliveredAt} none="not yet" />`],
      ])}</div>
      ${section(
        "attempts",
        "Attempts",
        table(
          "Attempts, oldest first",
          delivery.attemptLog.nodes,
          [
            { head: "Attempt", cell: ({ number }) => number },
            { head: "Started", cell: ({ startedAt }) => html`<${When} at=${startedAt} />` },
            { head: "Duration", number: true, cell: ({ durationMs }) => ms(durationMs) },
            {
              head: "Outcome",
              long: true,
              cell: (attempt) =>
                html`<span>${badge(succeeded(attempt) ? "succeeded" : "failed", succeeded(attempt) ? "good" : "bad")} ${outcome(attempt.statusCode, attempt.failure)}</span>`,
            },
            { head: "Trigger", cell: ({ trigger }) => trigger },
          ],
          { key: ({ number }) => String(number), none: "No attempt yet." },
        ),
      )}`;
  });
}
