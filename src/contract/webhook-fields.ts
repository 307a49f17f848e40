/** Fields and bodies of webhook endpoints. (docs/specification/webhooks.md) */
import { z } from "zod";
import { urlFault } from "../delivery/webhook-url.ts";
import { subscribableEvent } from "./events.ts";
import { ids, secrets, times } from "./examples.ts";
import { changes, secretLostSince, text, timestamp, uuid } from "./fields.ts";
import { description } from "./names.ts";
import { disabledReason } from "./opt-in-events.ts";

export const endpointUrl = text(1, 2048)
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
  failingSince: null,
  secretLostSince: null,
  disabledReason: null,
  disabledAt: null,
  createdAt: times.created,
  lastDeliveryAt: null,
};

export const Webhook = z
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
    failingSince: timestamp.nullable().meta({
      description: "Time since which attempts fail. Null if the last attempt succeeded, and before the first.",
    }),
    secretLostSince: secretLostSince("Deliveries wait"),
    disabledReason: disabledReason.nullable(),
    disabledAt: timestamp.nullable(),
    createdAt: timestamp,
    lastDeliveryAt: timestamp.nullable().meta({ description: "Time of the last 2xx response." }),
  })
  .meta({ id: "Webhook", examples: [exampleWebhook] });

/** @param signed what the secret signs */
export const shownSecret = (signed: string) =>
  z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .meta({ description: `The secret that signs ${signed}. Only this response contains it: store it now.` });

export const WebhookShownOnce = Webhook.extend({ secret: shownSecret("deliveries") }).meta({
  id: "WebhookShownOnce",
  examples: [{ ...exampleWebhook, secret: secrets.signing }],
});

export const NewWebhook = z
  .object({
    url: endpointUrl,
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

export const WebhookChanges = changes({
  url: endpointUrl,
  description: description(200).nullable(),
  events: events.transform(unique),
  botIds: botIds.transform(unique).nullable(),
  runStates: runStates.transform(unique).nullable(),
  orderPerRun,
  state: z
    .enum(["active", "paused"])
    .meta({ description: "`paused`: deliveries wait. `active` also enables a disabled endpoint." }),
}).meta({ id: "WebhookChanges", examples: [{ state: "active" }] });

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}
