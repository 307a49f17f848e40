/** Deliveries: one event to one endpoint, and the log of its attempts. (Part 2, "Delivery"; part 6.) */
import { z } from "zod";
import { page, paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const event = z.enum(["run.finished", "approval.needed", "webhook.test"]);
const failure = z.enum(["address", "dns", "redirect", "size", "timeout", "transport", "scheme"]);

export const Delivery = z.object({
  id: uuid,
  webhookId: uuid,
  event,
  state: z.enum(["pending", "delivered", "failed"]),
  attempts: z.int(),
  maxAttempts: z.int(),
  lastStatusCode: z.int().nullable(),
  lastFailure: failure.nullable(),
  createdAt: timestamp,
  lastAttemptAt: timestamp.nullable(),
  nextAttemptAt: timestamp.nullable(),
  deliveredAt: timestamp.nullable(),
});

const Attempt = z.object({
  number: z.int(),
  trigger: z.enum(["scheduled", "manual"]),
  startedAt: timestamp,
  durationMs: z.int(),
  statusCode: z.int().nullable(),
  failure: failure.nullable(),
});

const Payload = z.object({
  id: uuid,
  event,
  createdAt: timestamp,
  organisationId: uuid,
  data: z.record(z.string(), z.unknown()),
});

const DeliveryInFull = Delivery.extend({ attemptLog: z.array(Attempt), payload: Payload });

export const deliveries = [
  operation({
    name: "list_deliveries",
    method: "get",
    path: "/webhooks/{id}/deliveries",
    scope: "admin",
    status: 200,
    summary: "List the deliveries to an endpoint",
    query: z.object(paging),
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
    summary: "Read a delivery with its attempts and its payload",
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
    summary: "Send a failed delivery again, with a new round of attempts",
    reply: Delivery,
    refusals: ["not_found", "conflict"],
  }),
];
