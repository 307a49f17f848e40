/** A delivery and each attempt at it. */
import { html } from "../html.ts";
import { useLive } from "../live.ts";
import { ms } from "../numbers.ts";
import { badge } from "../parts/badge.ts";
import type { Delivery } from "../parts/deliveries.ts";
import { facts } from "../parts/facts.ts";
import { Heading } from "../parts/heading.ts";
import { Id } from "../parts/ids.ts";
import { gone, type Named, toOrganisation, toThing } from "../parts/rows.ts";
import { section } from "../parts/section.ts";
import { shown } from "../parts/states.ts";
import { table } from "../parts/table.ts";
import type { PageProps } from "../place.ts";
import { When } from "../times.ts";
import { outcome } from "../words.ts";

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
        claimedUntil: string | null;
        lastAttemptAt: string | null;
        endpoint: { id: string; host: string; state: string } | null;
        attemptLog: { nodes: Attempt[] };
      })
    | null;
};

const wentWell = ({ statusCode }: Attempt) => statusCode !== null && statusCode >= 200 && statusCode < 300;

export function DeliveryPage({ params }: PageProps) {
  const answer = useLive<Data>("delivery", { id: params.id });
  return shown(answer, ({ delivery }) => {
    if (!delivery) return gone("delivery", params.id);
    const { endpoint } = delivery;
    return html`<${Heading}
        kind="Delivery"
        title=${delivery.event}
      >
        <div class="under">${badge(delivery.state)} ${toOrganisation(delivery.organisation)} <${Id} id=${delivery.id} /></div>
      <//>
      <div class="panel">${facts([
        [
          "To",
          endpoint && html`<span>${toThing("endpoints", endpoint.id, endpoint.host)} ${badge(endpoint.state)}</span>`,
        ],
        ["Event", html`<${Id} id=${delivery.eventId} />`],
        ["Attempts", `${delivery.attempts} of ${delivery.maxAttempts}`],
        ["Sent because", delivery.trigger],
        ["Last outcome", outcome(delivery.lastStatusCode, delivery.lastFailure)],
        ["Made", html`<${When} at=${delivery.createdAt} />`],
        delivery.state === "pending" && ["Next attempt", html`<${When} at=${delivery.nextAttemptAt} />`],
        delivery.claimedUntil && ["A worker has it until", html`<${When} at=${delivery.claimedUntil} />`],
        ["Arrived", html`<${When} at=${delivery.deliveredAt} none="not yet" />`],
      ])}</div>
      ${section(
        "attempts",
        "Attempts",
        table(
          "Attempts, first to last",
          delivery.attemptLog.nodes,
          [
            { head: "Attempt", cell: ({ number }) => number },
            { head: "Began", cell: ({ startedAt }) => html`<${When} at=${startedAt} />` },
            { head: "Took", number: true, cell: ({ durationMs }) => ms(durationMs) },
            {
              head: "Outcome",
              long: true,
              cell: (attempt) =>
                html`<span>${badge(wentWell(attempt) ? "arrived" : "failed", wentWell(attempt) ? "good" : "bad")} ${outcome(attempt.statusCode, attempt.failure)}</span>`,
            },
            { head: "Because", cell: ({ trigger }) => trigger },
          ],
          { key: ({ number }) => String(number), none: "Nobody has tried yet." },
        ),
      )}`;
  });
}
