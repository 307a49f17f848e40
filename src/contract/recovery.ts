/** Redelivery of everything that an endpoint missed in a period. (docs/specification/webhooks.md#recovery) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { time, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const include = z.enum(["failed", "missing"]).meta({
  id: "RecoverWhat",
  description:
    "`failed`: failed deliveries created in the period. `missing`: events of the period that the endpoint " +
    "subscribes to now, but has no delivery of, because it was paused, disabled or not yet created.",
});

const RecoveryRequest = z
  .object({
    since: time.meta({
      description: "Start of the period, inclusive. Cannot be in the future, or earlier than deliveries are stored.",
    }),
    until: time.optional().meta({ description: "End of the period, exclusive. Defaults to the current time." }),
    include,
  })
  .meta({ id: "RecoveryRequest", examples: [{ since: times.outage, include: "failed" }] });

const Recovery = z
  .object({
    webhookId: uuid,
    include,
    recovered: z.int().meta({ description: "Number of deliveries that became pending by this call." }),
    hasMore: z.boolean().meta({ description: "Whether part of the period is left." }),
    nextSince: timestamp.nullable().meta({
      description: "The `since` of the next call, with the same `until`. Null if nothing is left.",
    }),
  })
  .meta({
    id: "Recovery",
    examples: [{ webhookId: ids.webhook, include: "failed", recovered: 42, hasMore: false, nextSince: null }],
  });

export const recovery = [
  operation({
    name: "recover_webhook",
    method: "post",
    path: "/webhooks/{id}/recover",
    scope: "admin",
    status: 202,
    summary: "Recover missed deliveries",
    searchTerms:
      "webhook, lost, outage, downtime, offline, retry all, resend, replay, again, catch up, backfill, " +
      "send again, missed while down, was down, maintenance, several hours, all of them, everything again, " +
      "what did we miss",
    description:
      "Starts a new round of attempts for each failed delivery, under its id, or creates a delivery for each " +
      "missing event. One call recovers about 500 deliveries and reads about 5,000 rows. While `hasMore` is " +
      "true, call again with `nextSince` as `since` and a new Idempotency-Key. Repeating a call sends nothing " +
      "twice.",
    body: RecoveryRequest,
    reply: Recovery,
    refusals: ["not_found"],
    reasons: ["endpoint_not_active"],
  }),
];
