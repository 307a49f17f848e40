/** Webhook endpoints. (docs/specification/webhooks.md) */
import { z } from "zod";
import { isPrivateTarget, urlFault } from "../delivery/webhook-url.ts";
import { Delivery } from "./deliveries.ts";
import { subscribableEvent } from "./events.ts";
import { ids, secrets, times } from "./examples.ts";
import { changes, Deleted, page, paging, text, timestamp, uuid } from "./fields.ts";
import { description } from "./names.ts";
import { type Operation, operation } from "./operation.ts";

const url = text(1, 2048)
  .refine((value) => urlFault(value) === undefined, { error: ({ input }) => urlFault(String(input)) })
  .transform((value) => value.replace(/^https/i, "https"))
  .meta({
    format: "uri",
    description:
      "An https address that the world can reach: a public host name with a dot or a public address. No user name, " +
      "fragment, backslash or port 0.",
  });
const events = z.array(subscribableEvent).min(1, "must name at least one event");

const exampleWebhook = {
  id: ids.webhook,
  url: "https://hooks.harbour.example/botstead",
  description: "Tells the duty room",
  events: ["run.finished"],
  state: "active",
  consecutiveFailures: 0,
  disabledReason: null,
  disabledAt: null,
  createdAt: times.created,
  lastDeliveryAt: null,
};

const Webhook = z
  .object({
    id: uuid,
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(subscribableEvent),
    state: z.enum(["active", "paused", "disabled"]).meta({
      id: "WebhookState",
      description: "At a paused endpoint deliveries wait; at a disabled one they fail without an attempt.",
    }),
    consecutiveFailures: z.int().meta({ description: "Ten in a row disable it; a delivery that arrives clears them." }),
    disabledReason: z.enum(["consecutive_failures", "gone", "operator"]).nullable(),
    disabledAt: timestamp.nullable(),
    createdAt: timestamp,
    lastDeliveryAt: timestamp.nullable().meta({ description: "When it last answered with a 2xx." }),
  })
  .meta({ id: "Webhook", examples: [exampleWebhook] });

const WebhookShownOnce = Webhook.extend({
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .meta({ description: "Signs every delivery. It is in this answer and in no other: keep it now." }),
}).meta({ id: "WebhookShownOnce", examples: [{ ...exampleWebhook, secret: secrets.signing }] });

const NewWebhook = z.object({ url, description: description(200).nullish(), events: events.transform(unique) }).meta({
  id: "NewWebhook",
  examples: [{ url: exampleWebhook.url, description: exampleWebhook.description, events: exampleWebhook.events }],
});

const WebhookChanges = changes({
  url,
  description: description(200).nullable(),
  events: events.transform(unique),
  state: z.enum(["active", "paused"]),
}).meta({ id: "WebhookChanges", examples: [{ state: "paused" }] });

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}

const reachableUrl: Operation["inspect"] = (input, { allowed }) =>
  typeof input.url === "string" && isPrivateTarget(input.url, allowed)
    ? [{ path: "body.url", message: "must not name this machine, a private network or a private address" }]
    : [];

export const webhooks = [
  operation({
    name: "list_webhooks",
    method: "get",
    path: "/webhooks",
    scope: "admin",
    status: 200,
    summary: "List webhook endpoints",
    description: "No row holds the signing secret.",
    query: z.object(paging),
    list: true,
    reply: page(Webhook),
  }),
  operation({
    name: "create_webhook",
    method: "post",
    path: "/webhooks",
    scope: "admin",
    status: 201,
    summary: "Make a webhook endpoint; its signing secret is shown once",
    description:
      "Deliveries are signed with the secret in this answer; `docs/receiving-webhooks.md` shows how to verify them. " +
      "`quota_exceeded` with 10 endpoints.",
    body: NewWebhook,
    inspect: reachableUrl,
    reply: WebhookShownOnce,
    secret: "signing-secret",
    location: "/webhooks/",
    reasons: ["limit_webhooks"],
  }),
  operation({
    name: "get_webhook",
    method: "get",
    path: "/webhooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Read a webhook endpoint",
    description: "How it stands, and why it was disabled if it was.",
    pointRead: true,
    reply: Webhook,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_webhook",
    method: "patch",
    path: "/webhooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Change, pause or resume a webhook endpoint",
    description:
      "Name at least one field; `description: null` clears it. Making a disabled endpoint `active` clears its count and its " +
      "reason; pausing a disabled one is a `conflict`. The address and the secret at the moment of an attempt are used.",
    body: WebhookChanges,
    inspect: reachableUrl,
    reply: Webhook,
    refusals: ["not_found"],
    reasons: ["endpoint_disabled"],
  }),
  operation({
    name: "delete_webhook",
    method: "delete",
    path: "/webhooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Delete a webhook endpoint; what waits there fails",
    description: "Deliveries that have not arrived end as `failed`, with no further attempt.",
    reply: Deleted,
    refusals: ["not_found"],
  }),
  operation({
    name: "rotate_webhook_secret",
    method: "post",
    path: "/webhooks/{id}/rotate",
    scope: "admin",
    status: 200,
    summary: "Replace the signing secret at once; the new one is shown once",
    description: "A delivery under way is still signed with the old one and will not verify under the new.",
    reply: WebhookShownOnce,
    secret: "signing-secret",
    refusals: ["not_found"],
  }),
  operation({
    name: "test_webhook",
    method: "post",
    path: "/webhooks/{id}/test",
    scope: "admin",
    status: 202,
    summary: "Send a real delivery of kind webhook.test",
    description: "Answers with the delivery: watch what becomes of it. `conflict` unless the endpoint is active.",
    reply: Delivery,
    refusals: ["not_found"],
    reasons: ["endpoint_not_active"],
  }),
];
