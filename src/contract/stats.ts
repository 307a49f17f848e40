/** Hourly statistics of an endpoint. (docs/specification/webhooks.md#statistics) */
import { z } from "zod";
import { failure } from "./deliveries.ts";
import { ids } from "./examples.ts";
import { time, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const share = (of: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `Between 0 and 1: ${of}. Null if there are none.` });

const DeliveryStats = z
  .object({
    total: z.int(),
    pending: z.int(),
    delivered: z.int(),
    failed: z.int().meta({ description: "Deliveries that have no attempt left." }),
    successShare: share("delivered / (delivered + failed)"),
  })
  .meta({ id: "DeliveryStats", description: "Deliveries created in the period, by their current state." });

const percentile = (share: number) =>
  z
    .int()
    .nullable()
    .meta({ description: `${share} % of the attempts took at most this time. Null if there are none.` });

const AttemptStats = z
  .object({
    total: z.int(),
    succeeded: z.int(),
    failed: z.int().meta({ description: "Attempts that failed." }),
    successShare: share("succeeded / total"),
    durationMs: z
      .object({ p50: percentile(50), p95: percentile(95), p99: percentile(99) })
      .meta({ description: "Durations of attempts in milliseconds, failed ones included." }),
    failures: z
      .object({
        status: z.int().meta({ description: "Responses with a status other than 2xx." }),
        ...Object.fromEntries(
          failure.options.map((word) => [word, z.int().meta({ description: `Failures of the kind \`${word}\`.` })]),
        ),
      })
      .meta({ description: "Number of failed attempts by cause, as in `failure` of an attempt." }),
  })
  .meta({ id: "AttemptStats", description: "Attempts started in the period." });

const counted = { deliveries: DeliveryStats, attempts: AttemptStats };

const exampleCounts = {
  deliveries: { total: 41, pending: 1, delivered: 39, failed: 1, successShare: 0.975 },
  attempts: {
    total: 47,
    succeeded: 39,
    failed: 8,
    successShare: 0.8298,
    durationMs: { p50: 84, p95: 310, p99: 10_000 },
    failures: { status: 6, address: 0, dns: 0, redirect: 0, size: 0, timeout: 2, transport: 0, scheme: 0, secret: 0 },
  },
};

const WebhookStats = z
  .object({
    webhookId: uuid,
    since: timestamp.meta({ description: "Start of the first hour." }),
    until: timestamp.meta({ description: "End of the last hour." }),
    totals: z.object(counted),
    hours: z
      .array(z.object({ hour: timestamp.meta({ description: "Start of the hour." }), ...counted }))
      .meta({ description: "Oldest first. Hours without activity are included with zeros." }),
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
    summary: "Retrieve endpoint statistics",
    searchTerms:
      "webhook, deliveries, failure rate, latency, speed, performance, health, metrics, chart, reliable, " +
      "how often does it fail, percent, uptime, lately, slow, getting through, how many fail, how fast, " +
      "error rate",
    description:
      "Returns numbers, success rates and durations for every UTC hour that overlaps the period, which is at " +
      "most 7 days. Data that is no longer stored is not counted.",
    query: z.object({
      since: time.optional().meta({ description: "A time in the first hour. Defaults to 24 hours before `until`." }),
      until: time
        .optional()
        .meta({ description: "A time in the last hour, or its end. Defaults to the current time." }),
    }),
    reply: WebhookStats,
    refusals: ["not_found"],
  }),
];
