/** Webhook endpoints. (docs/specification/webhooks.md) */
import { z } from "zod";
import { isPrivateTarget, urlFault } from "../delivery/webhook-url.ts";
import { Delivery } from "./deliveries.ts";
import { subscribableEvent } from "./events.ts";
import { ids, secrets, times } from "./examples.ts";
import { changes, Deleted, page, paging, text, timestamp, uuid } from "./fields.ts";
import { description } from "./names.ts";
import { type Operation, operation } from "./operation.ts";
import { disabledReason } from "./opt-in-events.ts";
import { revisionIgnoring } from "./revision.ts";

const url = text(1, 2048)
  .refine((value) => urlFault(value) === undefined, { error: ({ input }) => urlFault(String(input)) })
  .transform((value) => value.replace(/^https/i, "https"))
  .meta({
    format: "uri",
    description:
      "An `https` URL with a public host name or public address. User names, fragments, backslashes and port 0 " +
      "are not allowed.",
  });
const events = z.array(subscribableEvent).min(1, "must name at least one event");

const botIds = z.array(uuid).min(1, "must name at least one bot").max(100, "must name at most 100 bots").meta({
  description: "Only events of these bots are sent, and events that concern no bot. Null: events of all bots are sent.",
});
const runStates = z
  .array(z.enum(["running", "blocked", "completed", "failed", "cancelled"]))
  .min(1, "must name at least one state")
  .meta({
    description:
      "Only events `run.started`, `run.blocked` and `run.finished` with one of these states are sent. Other kinds are " +
      "sent in any case. Null: all are sent.",
  });
const orderPerRun = z.boolean().meta({
  description:
    "Whether a delivery waits until every earlier delivery of its run to this endpoint was delivered or has failed. " +
    "Applies to events after the change.",
});

const exampleWebhook = {
  id: ids.webhook,
  url: "https://hooks.harbour.example/botstead",
  description: "Tells the duty room",
  events: ["run.finished"],
  botIds: null,
  runStates: null,
  orderPerRun: false,
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
    url: z.string().meta({ description: "Address that receives the deliveries." }),
    description: z.string().nullable(),
    events: z.array(subscribableEvent),
    botIds: botIds.nullable(),
    runStates: runStates.nullable(),
    orderPerRun,
    state: z.enum(["active", "paused", "disabled"]).meta({
      id: "WebhookState",
      description: "`paused`: deliveries wait. `disabled`: deliveries fail without an attempt.",
    }),
    consecutiveFailures: z.int().meta({
      description: "Failed deliveries in a row; 10 disable the endpoint. A successful delivery resets the number.",
    }),
    disabledReason: disabledReason.nullable(),
    disabledAt: timestamp.nullable(),
    createdAt: timestamp,
    lastDeliveryAt: timestamp.nullable().meta({ description: "Time of the last 2xx response." }),
  })
  .meta({ id: "Webhook", examples: [exampleWebhook] });

const WebhookShownOnce = Webhook.extend({
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .meta({ description: "The secret that signs deliveries. Only this response contains it: store it now." }),
}).meta({ id: "WebhookShownOnce", examples: [{ ...exampleWebhook, secret: secrets.signing }] });

const NewWebhook = z
  .object({
    url,
    description: description(200).nullish(),
    events: events.transform(unique),
    botIds: botIds.transform(unique).nullish(),
    runStates: runStates.transform(unique).nullish(),
    orderPerRun: orderPerRun.default(false),
  })
  .meta({
    id: "NewWebhook",
    examples: [{ url: exampleWebhook.url, description: exampleWebhook.description, events: exampleWebhook.events }],
  });

const WebhookChanges = changes({
  url,
  description: description(200).nullable(),
  events: events.transform(unique),
  botIds: botIds.transform(unique).nullable(),
  runStates: runStates.transform(unique).nullable(),
  orderPerRun,
  state: z
    .enum(["active", "paused"])
    .meta({ description: "`paused`: deliveries wait. `active` also enables a disabled endpoint." }),
}).meta({ id: "WebhookChanges", examples: [{ state: "paused" }] });

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}

const reachableUrl: Operation["inspect"] = (input, { allowed }) =>
  typeof input.url === "string" && isPrivateTarget(input.url, allowed)
    ? [{ path: "body.url", message: "must not point to this machine, a private network or a private address" }]
    : [];

const revision = revisionIgnoring("consecutiveFailures", "lastDeliveryAt");

export const webhooks = [
  operation({
    name: "list_webhooks",
    method: "get",
    path: "/webhooks",
    scope: "admin",
    status: 200,
    summary: "List webhook endpoints",
    description: "Signing secrets are not returned.",
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
    summary: "Create a webhook endpoint",
    description:
      "Deliveries are signed with the secret in this response. `docs/receiving-webhooks.md` shows how to verify " +
      "them.",
    body: NewWebhook,
    inspect: reachableUrl,
    reply: WebhookShownOnce,
    revision,
    secret: "signing-secret",
    location: "/webhooks/",
  }),
  operation({
    name: "get_webhook",
    method: "get",
    path: "/webhooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Retrieve a webhook endpoint",
    description: "`disabledReason` states why the endpoint is disabled.",
    pointRead: true,
    reply: Webhook,
    revision,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_webhook",
    method: "patch",
    path: "/webhooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Update, pause or resume a webhook endpoint",
    description:
      "Requires at least one field. `description: null` clears the description. Setting a disabled endpoint to " +
      "`active` resets its failures and its reason. Each attempt uses the current URL and secret.",
    body: WebhookChanges,
    inspect: reachableUrl,
    reply: Webhook,
    revision,
    refusals: ["not_found"],
    reasons: ["endpoint_disabled"],
  }),
  operation({
    name: "delete_webhook",
    method: "delete",
    path: "/webhooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Delete a webhook endpoint",
    description: "Pending deliveries fail without a further attempt.",
    reply: Deleted,
    refusals: ["not_found"],
  }),
  operation({
    name: "rotate_webhook_secret",
    method: "post",
    path: "/webhooks/{id}/rotate",
    scope: "admin",
    status: 200,
    summary: "Rotate the signing secret of a webhook endpoint",
    description: "Replaces the secret at once. A delivery in progress is still signed with the old secret.",
    reply: WebhookShownOnce,
    revision,
    secret: "signing-secret",
    refusals: ["not_found"],
  }),
  operation({
    name: "test_webhook",
    method: "post",
    path: "/webhooks/{id}/test",
    scope: "admin",
    status: 202,
    summary: "Send a test event to a webhook endpoint",
    description: "Creates an event `webhook.test` and its delivery to this endpoint, and returns the delivery.",
    reply: Delivery,
    refusals: ["not_found"],
    reasons: ["endpoint_not_active"],
  }),
];
