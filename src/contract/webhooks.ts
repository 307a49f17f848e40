/** Webhook endpoints. (Part 2, "Webhook endpoint"; part 4, "Webhooks and deliveries".) */
import { z } from "zod";
import { refusesUrl } from "../delivery/address.ts";
import { Delivery } from "./deliveries.ts";
import { changes, Deleted, page, paging, text, timestamp, uuid } from "./fields.ts";
import { type Operation, operation } from "./operation.ts";

const url = text(1, 2048)
  .refine(isHttpsUrl, "must be an https address without a user name, a password or white space")
  .transform((value) => value.replace(/^https/i, "https"));
const events = z.array(z.enum(["run.finished", "approval.needed"])).min(1, "must name at least one event");

/** The scheme in any case is https all the same. White space, which `URL` would drop in silence, is not of an address. */
function isHttpsUrl(value: string): boolean {
  const parsed = URL.parse(value);
  return (
    parsed !== null &&
    parsed.protocol === "https:" &&
    value.toLowerCase().startsWith("https://") &&
    !/[\s\p{Cc}]/u.test(value) &&
    parsed.username === "" &&
    parsed.password === ""
  );
}

const Webhook = z.object({
  id: uuid,
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.enum(["run.finished", "approval.needed"])),
  state: z.enum(["active", "paused", "disabled"]),
  consecutiveFailures: z.int(),
  disabledReason: z.enum(["consecutive_failures", "gone", "operator"]).nullable(),
  disabledAt: timestamp.nullable(),
  createdAt: timestamp,
  lastDeliveryAt: timestamp.nullable(),
});

const WebhookShownOnce = Webhook.extend({ secret: z.string() });

const NewWebhook = z.object({ url, description: text(0, 200).nullish(), events: events.transform(unique) });

const WebhookChanges = changes({
  url,
  description: text(0, 200).nullable(),
  events: events.transform(unique),
  state: z.enum(["active", "paused"]),
});

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}

const reachableUrl: Operation["inspect"] = (input, { allowed }) =>
  typeof input.url === "string" && refusesUrl(input.url, allowed)
    ? [{ path: "body.url", message: "must not name this machine or a private address" }]
    : [];

export const webhooks = [
  operation({
    name: "list_webhooks",
    method: "get",
    path: "/webhooks",
    scope: "admin",
    status: 200,
    summary: "List webhook endpoints",
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
    body: NewWebhook,
    inspect: reachableUrl,
    reply: WebhookShownOnce,
    secret: "signing-secret",
    location: "/webhooks/",
    refusals: ["quota_exceeded"],
  }),
  operation({
    name: "get_webhook",
    method: "get",
    path: "/webhooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Read a webhook endpoint",
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
    body: WebhookChanges,
    inspect: reachableUrl,
    reply: Webhook,
    refusals: ["not_found", "conflict"],
  }),
  operation({
    name: "delete_webhook",
    method: "delete",
    path: "/webhooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Delete a webhook endpoint; what waits there fails",
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
    reply: Delivery,
    refusals: ["not_found", "conflict"],
  }),
];
