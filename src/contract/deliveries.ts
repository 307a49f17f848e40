/** Deliveries: one event to one endpoint, and the log of its attempts. (docs/specification/deliveries.md) */
import { z } from "zod";
import { enumerations } from "./enumerations.ts";
import { AnyEvent, eventKind } from "./events.ts";
import { ids, times } from "./examples.ts";
import { createdWithin, page, paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

export const failure = z.enum(["address", "dns", "redirect", "size", "timeout", "transport", "scheme", "secret"]).meta({
  id: "DeliveryFailure",
  description:
    "Why the attempt failed, if no status code explains it. `secret`: the service cannot open the secret. Rotate it.",
});

const state = z.enum(enumerations.DeliveryState).meta({
  id: "DeliveryState",
  description: "`failed`: no attempt is left, or the endpoint was disabled or deleted.",
});

const exampleDelivery = {
  id: ids.delivery,
  webhookId: ids.webhook,
  event: "webhook.test",
  state: "pending",
  attempts: 0,
  maxAttempts: 5,
  lastStatusCode: null,
  lastFailure: null,
  createdAt: times.created,
  lastAttemptAt: null,
  nextAttemptAt: times.created,
  deliveredAt: null,
};

export const Delivery = z
  .object({
    id: uuid,
    webhookId: uuid,
    event: eventKind,
    state,
    attempts: z.int(),
    maxAttempts: z.int().meta({ description: "Maximum number of attempts. A redelivery adds a round of attempts." }),
    lastStatusCode: z.int().nullable(),
    lastFailure: failure.nullable(),
    createdAt: timestamp,
    lastAttemptAt: timestamp.nullable(),
    nextAttemptAt: timestamp.nullable(),
    deliveredAt: timestamp.nullable(),
  })
  .meta({ id: "Delivery", description: "One event for one endpoint.", examples: [exampleDelivery] });

const Attempt = z
  .object({
    number: z.int().meta({ description: "Number of the attempt, from 1." }),
    trigger: z
      .enum(["scheduled", "manual"])
      .meta({ description: "`manual`: a redelivery or a recovery asked for it." }),
    startedAt: timestamp,
    durationMs: z.int(),
    statusCode: z.int().nullable(),
    failure: failure.nullable().meta({ description: "Why it failed, if no status code explains it. Null otherwise." }),
  })
  .meta({ id: "Attempt", description: "One request to the endpoint." });

const DeliveryInFull = Delivery.extend({
  attemptLog: z.array(Attempt).meta({ description: "Oldest first. Only the status of each response is stored." }),
  payload: AnyEvent,
}).meta({
  id: "DeliveryInFull",
  examples: [
    {
      ...exampleDelivery,
      state: "delivered",
      attempts: 1,
      lastStatusCode: 200,
      lastAttemptAt: times.finished,
      nextAttemptAt: null,
      deliveredAt: times.finished,
      attemptLog: [
        {
          number: 1,
          trigger: "scheduled",
          startedAt: times.finished,
          durationMs: 84,
          statusCode: 200,
          failure: null,
        },
      ],
      payload: {
        id: ids.delivery,
        event: "webhook.test",
        createdAt: times.created,
        organisationId: ids.organisation,
        data: { webhookId: ids.webhook },
      },
    },
  ],
});

export const deliveries = [
  operation({
    name: "list_deliveries",
    method: "get",
    path: "/webhooks/{id}/deliveries",
    scope: "admin",
    status: 200,
    summary: "List deliveries of endpoint",
    searchTerms:
      "webhook, calls, attempts, sent, failed, failures, errors, why, log, HTTP status, 500, timeout, " +
      "not received, not arrived, missing, did our server get it, did the message arrive, got the message, " +
      "undelivered, reach, get the message, getting through, what was sent, did it go out, backlog, " +
      "rejected by our server",
    description: "Lists the deliveries of the endpoint with their states and their last failures.",
    query: z.object({
      ...paging,
      state: state.optional().meta({ description: "Returns only deliveries in this state." }),
      event: eventKind.optional().meta({ description: "Returns only deliveries of this kind of event." }),
      ...createdWithin("deliveries"),
    }),
    list: true,
    reply: page(Delivery),
    refusals: ["not_found"],
  }),
  operation({
    name: "get_delivery",
    method: "get",
    path: "/deliveries/{id}",
    scope: "admin",
    status: 200,
    summary: "Retrieve delivery",
    searchTerms:
      "status code, error, failed, why, debug, log, HTTP status, 500, timeout, response, not received, " +
      "not arrived, did our server get it, did the message arrive, what did our server answer, payload, body, " +
      "get the message, what was sent, exact content, whole message",
    description: "Returns the delivery with its payload and every attempt: its time, and its status or failure.",
    pointRead: true,
    reply: DeliveryInFull,
    refusals: ["not_found"],
  }),
  operation({
    name: "redeliver",
    method: "post",
    path: "/deliveries/{id}/redeliver",
    scope: "admin",
    status: 202,
    summary: "Redeliver failed delivery",
    searchTerms:
      "retry, resend, repeat, replay, again, try again, send again, push, once more, one more time, that one, " +
      "one of them, send it again, did not get it",
    description: "Starts a new round of attempts with the same id and the same body.",
    reply: Delivery,
    refusals: ["not_found"],
    reasons: ["delivery_not_failed", "endpoint_not_active"],
  }),
];
