/**
 * Event kinds, each once. Filters, payload schemas, the document's webhooks, the specification's table and the tests of
 * deliveries derive from `events`. The enum `app.event_kind` has the same kinds. (docs/specification/events.md#kinds)
 */
import { z } from "zod";
import { event } from "./event-definition.ts";
import { timestamp, uuid } from "./fields.ts";
import { optInEvents } from "./opt-in-events.ts";
import { trigger } from "./run-fields.ts";

export const runFinished = event({
  kind: "run.finished",
  id: "RunFinished",
  description:
    "Sent when a run reaches `completed`, `failed` or `cancelled`, to every active endpoint that subscribes to " +
    "the event. The payload contains no message text: retrieve it with `GET /runs/{id}/messages`.",
  data: z.object({
    runId: uuid,
    botId: uuid,
    conversationId: uuid,
    routineId: uuid.nullable(),
    state: z.enum(["completed", "failed", "cancelled"]).meta({ description: "How the run ended." }),
    trigger,
    steps: z.int(),
    spendMicroCents: z.int().meta({ description: "In micro-cents: 1,000,000 micro-cents are one cent." }),
    taint: z.boolean().meta({ description: "Whether the run contains text from outside the organisation." }),
    finishedAt: timestamp,
  }),
});

export const approvalNeeded = event({
  kind: "approval.needed",
  id: "ApprovalNeeded",
  description:
    "Sent when a run asks its person a question, or when a tainted run proposes a memory or a run. The person " +
    "receives a mail with a link and answers on that page. An API key cannot answer.",
  data: z.object({
    approvalId: uuid,
    runId: uuid,
    botId: uuid,
    conversationId: uuid,
    kind: z.string().meta({ description: "Kind of approval. New kinds may be added." }),
    state: z.string().meta({ description: "State of the approval. New states may be added." }),
    createdAt: timestamp,
    expiresAt: timestamp,
  }),
});

const webhookTest = event({
  kind: "webhook.test",
  id: "WebhookTest",
  description: "Sent by `POST /webhooks/{id}/test` to that endpoint only. Its subscriptions are not considered.",
  data: z.object({ webhookId: uuid }),
});

export const events = [runFinished, approvalNeeded, webhookTest, ...optInEvents] as const;

export type WebhookEvent = Pick<
  (typeof events)[number],
  "kind" | "id" | "isSubscribable" | "summary" | "description"
> & {
  data: z.ZodObject;
  body: z.ZodObject;
};

export const eventKind = z
  .enum(events.map(({ kind }) => kind))
  .meta({ id: "EventKind", description: "What happened." });
export const subscribableEvent = z
  .enum(events.filter(({ isSubscribable }) => isSubscribable).map(({ kind }) => kind))
  .meta({ id: "SubscribableEvent", description: "Webhook events are described under `webhooks` in this document." });

/** Any event, as `GET /deliveries/{id}` returns it. */
const [first, ...others] = events;
export const AnyEvent = z.discriminatedUnion("event", [first.body, ...others.map(({ body }) => body)]);
