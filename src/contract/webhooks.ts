/** Operations on webhook endpoints. (docs/specification/webhooks.md) */
import { z } from "zod";
import { isPrivateTarget } from "../delivery/webhook-url.ts";
import { Delivery } from "./deliveries.ts";
import { Deleted, page, paging } from "./fields.ts";
import { type Operation, operation } from "./operation.ts";
import { revisionIgnoring } from "./revision.ts";
import { NewWebhook, Webhook, WebhookChanges, WebhookShownOnce } from "./webhook-fields.ts";

export const reachableUrl: NonNullable<Operation["inspect"]> = (input, { allowed }) =>
  typeof input.url === "string" && isPrivateTarget(input.url, allowed)
    ? [{ path: "body.url", message: "must not point to this machine, a private network or a private address" }]
    : [];

const revision = revisionIgnoring("consecutiveFailures", "failingSince", "secretLostSince", "lastDeliveryAt");

export const webhooks = [
  operation({
    name: "list_webhooks",
    method: "get",
    path: "/webhooks",
    scope: "admin",
    status: 200,
    summary: "List webhook endpoints",
    searchTerms: "where do you send, who gets messages, which servers, where do our events go, who listens",
    description: "Lists the endpoints of the organisation, without their signing secrets.",
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
    summary: "Create webhook endpoint",
    searchTerms:
      "notify, get notified, subscribe, listen, alert, push, when something happens, finishes, inform, " +
      "message our server, backend, system, application, tell me when, let us know, Slack, Teams, chat room, " +
      "call us, ping us, as soon as, has to approve, when a person must approve, message me, hear about, " +
      "learn about, find out, send events to, forward, Zapier, each new answer",
    description:
      "Creates an endpoint that receives signed events. Deliveries are signed with the secret in this response. Each " +
      "event in this document describes the headers " +
      "that verify it.",
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
    summary: "Retrieve webhook endpoint",
    searchTerms:
      "status, failing, why it is disabled, no callbacks arrive, silent, stopped working, " +
      "turned off by itself, is it working, is it healthy",
    description:
      "Returns the endpoint with its events and its state. `disabledReason` states why the endpoint is disabled.",
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
    summary: "Update, pause or resume webhook endpoint",
    searchTerms:
      "address, move, migrate, another server, domain, stop sending, not send, new URL, moved, other events, " +
      "more events, different server, got switched off, wrong address, port, path",
    description:
      "Changes, pauses or resumes an endpoint. Requires at least one field. `description: null` clears the description. " +
      "Setting a disabled endpoint to " +
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
    summary: "Delete webhook endpoint",
    searchTerms: "unsubscribe, stop sending for ever, old server",
    description: "Deletes an endpoint. Pending deliveries fail without a further attempt.",
    reply: Deleted,
    refusals: ["not_found"],
  }),
  operation({
    name: "rotate_webhook_secret",
    method: "post",
    path: "/webhooks/{id}/rotate",
    scope: "admin",
    status: 200,
    summary: "Rotate endpoint secret",
    searchTerms: "signing key, signature, known to others, verification fails",
    description:
      "Replaces the signing secret of an endpoint at once. A delivery in progress is still signed with the old secret.",
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
    summary: "Send test event",
    searchTerms:
      "webhook, try, check, ping, sample, example, server, does it work, try out, reachable, fake event, " +
      "connection, dummy, demo, can you reach us, does anything arrive",
    description: "Creates an event `webhook.test` and its delivery to this endpoint, and returns the delivery.",
    reply: Delivery,
    refusals: ["not_found"],
    reasons: ["endpoint_not_active"],
  }),
];
