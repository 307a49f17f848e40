/**
 * Event kinds, each once. Filters, payload schemas, the document's webhooks, the specification's table and the tests of
 * real deliveries derive from `events`. The enum `app.event_kind` has the same kinds. (docs/specification/events.md#kinds)
 */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { timestamp, uuid } from "./fields.ts";
import { trigger } from "./run-fields.ts";

type Definition<Data extends z.ZodObject> = {
  kind: string;
  /** Name of the schema of the event in the feed. The schema of a delivered body appends `Event`. */
  id: string;
  /** Whether endpoints choose it. Otherwise it is sent to an endpoint on request. */
  isSubscribable: boolean;
  summary: string;
  /** When it is sent and to which endpoints, in Markdown. */
  description: string;
  data: Data;
  example: z.output<Data>;
};

/** Adds the body of a delivery: the same text at every attempt. */
function event<Data extends z.ZodObject>(definition: Definition<Data>) {
  const { kind, id, data, example } = definition;
  const body = z
    .object({
      id: uuid.meta({ description: "The delivery's id. It stays the same at every attempt: know a repeat by it." }),
      event: z.literal(kind),
      createdAt: timestamp,
      organisationId: uuid,
      data,
    })
    .meta({
      id: `${id}Event`,
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
  return { ...definition, body };
}

export const runFinished = event({
  kind: "run.finished",
  id: "RunFinished",
  isSubscribable: true,
  summary: "A run has ended",
  description:
    "Sent when a run reaches `completed`, `failed` or `cancelled`, to every active endpoint that subscribed to it. " +
    "It says what ended and how, and holds no words of the conversation: fetch those with `GET /runs/{id}/messages`.",
  data: z.object({
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
  example: {
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
  },
});

export const approvalNeeded = event({
  kind: "approval.needed",
  id: "ApprovalNeeded",
  isSubscribable: true,
  summary: "A run waits for a person",
  description:
    "Sent when a run asks its person something and waits, or when a tainted run would write something that a person " +
    "has to approve first. The person is mailed a link to a page and answers there; an API key can't.",
  data: z.object({
    approvalId: uuid,
    runId: uuid,
    botId: uuid,
    conversationId: uuid,
    kind: z.string().meta({ description: "What a person is asked to allow. New kinds may be added." }),
    state: z.string().meta({ description: "Where the approval stands. New states may be added." }),
    createdAt: timestamp,
    expiresAt: timestamp,
  }),
  example: {
    approvalId: ids.approval,
    runId: ids.run,
    botId: ids.bot,
    conversationId: ids.conversation,
    kind: "memory",
    state: "pending",
    createdAt: times.created,
    expiresAt: times.inAWeek,
  },
});

const webhookTest = event({
  kind: "webhook.test",
  id: "WebhookTest",
  isSubscribable: false,
  summary: "A test that somebody asked for",
  description: "Sent by `POST /webhooks/{id}/test`, to that endpoint alone, whatever it subscribed to.",
  data: z.object({ webhookId: uuid }),
  example: { webhookId: ids.webhook },
});

export const events = [runFinished, approvalNeeded, webhookTest] as const;

export type WebhookEvent = Pick<
  (typeof events)[number],
  "kind" | "id" | "isSubscribable" | "summary" | "description"
> & {
  data: z.ZodObject;
  body: z.ZodObject;
};

export const eventKind = z.enum(events.map(({ kind }) => kind)).meta({ id: "EventKind" });
export const subscribableEvent = z
  .enum(events.filter(({ isSubscribable }) => isSubscribable).map(({ kind }) => kind))
  .meta({ id: "SubscribableEvent", description: "See the document's webhooks." });

/** Any event, as `GET /deliveries/{id}` shows what was sent. */
const [first, ...others] = events;
export const AnyEvent = z.discriminatedUnion("event", [first.body, ...others.map(({ body }) => body)]);
