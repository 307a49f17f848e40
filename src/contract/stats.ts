/** How an endpoint fares, by the hour. (docs/specification/webhooks.md#statistics.) */
import { z } from "zod";
import { failure } from "./deliveries.ts";
import { ids } from "./examples.ts";
import { time, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const share = (of: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `From 0 to 1, of ${of}; null when there are none.` });

const DeliveryStats = z
  .object({
    total: z.int(),
    pending: z.int(),
    delivered: z.int(),
    failed: z.int(),
    successShare: share("the deliveries that ended: delivered / (delivered + failed)"),
  })
  .meta({ id: "DeliveryStats", description: "Deliveries made in this time, and what has become of them by now." });

const percentile = z.int().nullable();

const AttemptStats = z
  .object({
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    successShare: share("all attempts: succeeded / total"),
    durationMs: z
      .object({ p50: percentile, p95: percentile, p99: percentile })
      .meta({ description: "How long attempts took, failed ones too: of so many per cent at most this long." }),
    failures: z
      .object({
        status: z.int().meta({ description: "Answered, and with no 2xx." }),
        ...Object.fromEntries(failure.options.map((word) => [word, z.int()])),
      })
      .meta({ description: "Failed attempts by why they failed; the words are those of the attempt log." }),
  })
  .meta({ id: "AttemptStats", description: "Attempts begun in this time, whenever their deliveries were made." });

const counted = { deliveries: DeliveryStats, attempts: AttemptStats };

const exampleCounts = {
  deliveries: { total: 41, pending: 1, delivered: 39, failed: 1, successShare: 0.975 },
  attempts: {
    total: 47,
    succeeded: 39,
    failed: 8,
    successShare: 0.8298,
    durationMs: { p50: 84, p95: 310, p99: 10_000 },
    failures: { status: 6, address: 0, dns: 0, redirect: 0, size: 0, timeout: 2, transport: 0, scheme: 0 },
  },
};

const WebhookStats = z
  .object({
    webhookId: uuid,
    since: timestamp.meta({ description: "The beginning of the first hour." }),
    until: timestamp.meta({ description: "The end of the last hour." }),
    totals: z.object(counted),
    hours: z
      .array(z.object({ hour: timestamp.meta({ description: "When it begins." }), ...counted }))
      .meta({ description: "Oldest first; an hour in which nothing happened is there with zeros." }),
  })
  .meta({
    id: "WebhookStats",
    examples: [
      {
        webhookId: ids.webhook,
        since: "2026-11-20T14:00:00.000Z",
        until: "2026-11-20T15:00:00.000Z",
        totals: exampleCounts,
        hours: [{ hour: "2026-11-20T14:00:00.000Z", ...exampleCounts }],
      },
    ],
  });

export const stats = [
  operation({
    name: "get_webhook_stats",
    method: "get",
    path: "/webhooks/{id}/stats",
    scope: "admin",
    status: 200,
    summary: "Read how an endpoint fares, by the hour",
    description:
      "Counts, shares of success, and how long attempts took, for each hour of UTC that the asked time touches, taken " +
      "whole: the last 24 unless it is said otherwise, and at most 7 days. What is no longer kept is not counted.",
    query: z.object({
      since: time.optional().meta({ description: "In the first hour." }),
      until: time.optional().meta({ description: "In the last hour, or at its end. Now unless it is given." }),
    }),
    reply: WebhookStats,
    refusals: ["not_found"],
  }),
];
