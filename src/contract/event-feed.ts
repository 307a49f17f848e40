/** The event feed: all events in the order in which they happened. (docs/specification/events.md#feed) */
import { z } from "zod";
import { Delivery } from "./deliveries.ts";
import { eventKind, events, runFinished, type WebhookEvent } from "./events.ts";
import { ids, times } from "./examples.ts";
import { paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const deliveries = z
  .array(Delivery.pick({ id: true, webhookId: true, state: true }).meta({ id: "DeliveryOfEvent", examples: undefined }))
  .meta({ description: "One for each endpoint it went to; `id` is the one in the posted body. Often none." });

/** An event as the feed shows it: without the envelope of a delivery. */
function happened({ kind, id, data }: WebhookEvent) {
  return z
    .object({
      id: uuid.meta({ description: "The event's own id, which no delivery carries." }),
      event: z.literal(kind),
      createdAt: timestamp,
      data,
      deliveries,
    })
    .meta({ id });
}

const [first, ...others] = events;
const Event = z.discriminatedUnion("event", [happened(first), ...others.map(happened)]).meta({ id: "Event" });

const exampleCursor = `d41f6b2a${"0000000000002f1c"}${ids.event.replaceAll("-", "")}`;

const EventFeed = z
  .object({
    data: z.array(Event).meta({ description: "Oldest first, in the order in which they became readable." }),
    nextCursor: z.string().meta({
      description: "Never null: keep it, and ask with it as `after`, now or in a week, for what has come since.",
    }),
    hasMore: z
      .boolean()
      .meta({ description: "Whether the next page can be asked for at once, even if this one is short." }),
  })
  .meta({
    id: "EventFeed",
    examples: [
      {
        data: [
          {
            id: ids.event,
            event: runFinished.kind,
            createdAt: times.finished,
            data: runFinished.example,
            deliveries: [{ id: ids.delivery, webhookId: ids.webhook, state: "delivered" }],
          },
        ],
        nextCursor: exampleCursor,
        hasMore: false,
      },
    ],
  });

export const eventFeed = [
  operation({
    name: "list_events",
    method: "get",
    path: "/events",
    scope: "admin",
    status: 200,
    summary: "Read every event, oldest first, and go on from where you were",
    description:
      "Every event of the organisation that is still kept, each exactly once, whether or not it was delivered anywhere. A " +
      "reader that keeps `nextCursor` skips nothing, however long something took to be written: an event is shown once " +
      "nothing can come before it any more, which is a moment after it happened. An `after` of events that are no longer " +
      "kept goes on at the oldest that is.",
    query: z.object({
      after: z
        .string()
        .optional()
        .meta({ description: "The `nextCursor` of an earlier answer. Left out: from the oldest event that is kept." }),
      limit: paging.limit,
      event: eventKind
        .optional()
        .meta({ description: "Events of this kind alone. A page may be short, or empty, and have more after it." }),
    }),
    feed: true,
    reply: EventFeed,
  }),
];
