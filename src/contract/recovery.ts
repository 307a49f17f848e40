/** What an endpoint missed is sent again, a stretch of time at once. (docs/specification/webhooks.md#recovery.) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { time, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const include = z.enum(["failed", "missing"]).meta({
  id: "RecoverWhat",
  description:
    "`failed`: deliveries that were made in that time and have failed. `missing`: events of that time to which the " +
    "endpoint subscribes now and of which it has no delivery, because it was paused or disabled, or not yet there.",
});

const RecoveryRequest = z
  .object({
    since: time.meta({ description: "From when on; no further back than deliveries are kept, and not in the future." }),
    until: time.optional().meta({ description: "Up to when, this instant left out. Up to now unless it is given." }),
    include,
  })
  .meta({ id: "RecoveryRequest", examples: [{ since: times.outage, include: "failed" }] });

const Recovery = z
  .object({
    webhookId: uuid,
    include,
    recovered: z.int().meta({ description: "How many deliveries are pending now because of this call." }),
    hasMore: z.boolean().meta({ description: "Whether part of the time was not looked at yet." }),
    nextSince: timestamp.nullable().meta({
      description: "Where to go on: the next call's `since`, with the same `until`. Null when there is no more.",
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
    summary: "Send what an endpoint missed, since a time",
    description:
      "A failed delivery begins a new round of attempts under the id it has, as with `redeliver`; a missing event gets a " +
      "delivery of its own. One call takes about 500 and looks at about 5,000: while `hasMore`, send it again with " +
      "`nextSince` as `since`, under a new Idempotency-Key. Nothing is sent twice by asking twice. `conflict` unless the " +
      "endpoint is active.",
    body: RecoveryRequest,
    reply: Recovery,
    refusals: ["not_found"],
    reasons: ["endpoint_not_active"],
  }),
];
