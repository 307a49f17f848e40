/**
 * What is posted to webhook endpoints. The document's webhooks and the tests of real deliveries take these schemas.
 * (docs/specification/events.md#kinds.)
 */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { timestamp, uuid } from "./fields.ts";
import { trigger } from "./run-fields.ts";

/** The body of a delivery: the same text at every attempt. */
function event<Kind extends string, Data extends z.ZodObject>(id: string, kind: Kind, data: Data, example: object) {
  return z
    .object({
      id: uuid.meta({ description: "The delivery's id. It stays the same at every attempt: know a repeat by it." }),
      event: z.literal(kind),
      createdAt: timestamp,
      organisationId: uuid,
      data,
    })
    .meta({
      id,
      examples: [
        {
          id: ids.delivery,
          event: kind,
          createdAt: times.finished,
          organisationId: ids.organisation,
          data: example,
        },
      ],
    });
}

/** What run.finished says, as an example. */
export const finishedRun = {
  runId: ids.run,
  botId: ids.bot,
  conversationId: ids.conversation,
  routineId: null,
  state: "completed",
  trigger: "api",
  steps: 2,
  spendMicroCents: 0,
  taint: false,
  finishedAt: times.finished,
};

export const RunFinishedEvent = event(
  "RunFinishedEvent",
  "run.finished",
  z.object({
    runId: uuid,
    botId: uuid,
    conversationId: uuid,
    routineId: uuid.nullable(),
    state: z.enum(["completed", "failed", "cancelled"]),
    trigger,
    steps: z.int(),
    spendMicroCents: z.int().meta({ description: "Micro-cents: 1,000,000 are one cent." }),
    taint: z.boolean(),
    finishedAt: timestamp,
  }),
  finishedRun,
);

export const ApprovalNeededEvent = event(
  "ApprovalNeededEvent",
  "approval.needed",
  z.object({
    approvalId: uuid,
    runId: uuid,
    botId: uuid,
    conversationId: uuid,
    kind: z.string().meta({ description: "What a person is asked to allow. New kinds may be added." }),
    state: z.string().meta({ description: "Where the approval stands. New states may be added." }),
    createdAt: timestamp,
    expiresAt: timestamp,
  }),
  {
    approvalId: ids.approval,
    runId: ids.run,
    botId: ids.bot,
    conversationId: ids.conversation,
    kind: "memory",
    state: "pending",
    createdAt: times.created,
    expiresAt: times.inAWeek,
  },
);

export const WebhookTestEvent = event("WebhookTestEvent", "webhook.test", z.object({ webhookId: uuid }), {
  webhookId: ids.webhook,
});

export type WebhookEvent = {
  name: "run.finished" | "approval.needed" | "webhook.test";
  summary: string;
  description: string;
  body: z.ZodObject;
};

/** Every event, as the document tells of it. */
export const webhookEvents: readonly WebhookEvent[] = [
  {
    name: "run.finished",
    summary: "A run has ended",
    description:
      "Sent when a run reaches `completed`, `failed` or `cancelled`, to every active endpoint that subscribed to it. " +
      "It says what ended and how, and holds no words of the conversation: fetch those with `GET /runs/{id}/messages`.",
    body: RunFinishedEvent,
  },
  {
    name: "approval.needed",
    summary: "A run waits for a person",
    description:
      "Sent when a run asks its person something and waits, or when a tainted run would write something that a person " +
      "has to approve first. The person is mailed a link to a page and answers there; an API key can't.",
    body: ApprovalNeededEvent,
  },
  {
    name: "webhook.test",
    summary: "A test that somebody asked for",
    description: "Sent by `POST /webhooks/{id}/test`, to that endpoint alone, whatever it subscribed to.",
    body: WebhookTestEvent,
  },
];

/** Any event, as `GET /deliveries/{id}` shows what was sent. */
export const AnyEvent = z.discriminatedUnion("event", [RunFinishedEvent, ApprovalNeededEvent, WebhookTestEvent]);
