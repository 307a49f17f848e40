/** The event feed. (docs/specification/events.md#feed) */
import { z } from "zod";
import { Delivery } from "./deliveries.ts";
import { eventData } from "./event-examples.ts";
import { eventKind, events, runFinished, type WebhookEvent } from "./events.ts";
import { ids, times } from "./examples.ts";
import { paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const deliveries = z
  .array(Delivery.pick({ id: true, webhookId: true, state: true }).meta({ id: "DeliveryOfEvent", examples: undefined }))
  .meta({
    description:
      "The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint " +
      "received the event.",
  });

/** An event as the feed shows it: without the envelope of a delivery. */
function happened({ kind, id, data }: WebhookEvent) {
  return z
    .object({
      id: uuid.meta({ description: "Id of the event. It differs from the ids of its deliveries." }),
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
    data: z
      .array(Event)
      .meta({ description: "In the order in which the events became readable; with `order=desc` newest first." }),
    nextCursor: z.string().nullable().meta({ description: "Pass it as `cursor`. Null on the last page." }),
    position: z.string().meta({
      description:
        "The position after this page, also after the last. Store it and pass it as `after` to read on: later events, or " +
        "earlier ones with `order=desc`.",
    }),
    hasMore: z.boolean().meta({ description: "Whether more events can be read at once, even if this page is short." }),
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
            data: eventData["run.finished"],
            deliveries: [{ id: ids.delivery, webhookId: ids.webhook, state: "delivered" }],
          },
        ],
        nextCursor: null,
        position: exampleCursor,
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
    summary: "List events",
    searchTerms:
      "feed, activity, what happened, changes, poll, new, sync, stream, history, past, yesterday, last night, " +
      "this morning, everything that happened, today, recently, what did we miss, log, what changed since",
    description:
      "Lists every stored event of the organisation exactly once, delivered or not. Pass the last `position` " +
      "as `after` to continue; a reader that does so skips no event.\n\nAn event appears as its " +
      "transaction ends. A cursor whose events are no longer stored continues at the " +
      "oldest stored event. For people `order=desc` lists the newest events first; a reader that must not miss any uses " +
      "`asc`.\n\nWith `Accept: text/event-stream` the answer is a stream of server-sent events: `id` is a " +
      "cursor, `event` the kind and `data` the event as an entry of `data` here. It starts after `Last-Event-ID` or " +
      "`after`, by default now, and continues with new events in the same order, each exactly once. A comment every 15 " +
      "seconds keeps it open. The service closes it after 4 to 5 minutes, when it restarts, and when the client reads " +
      "too slowly: connect again with the last `id` as `Last-Event-ID`. It counts as an open request, as the stream of a " +
      "run does.",
    query: z.object({
      cursor: z.string().optional().meta({
        description: "The `nextCursor` of the previous page. It wins over `after`.",
      }),
      after: z
        .string()
        .optional()
        .meta({
          description:
            "The `position` or `nextCursor` of an earlier page. By default the feed starts at the oldest stored event, or " +
            "at the newest with `order=desc`.",
        }),
      order: z.enum(["asc", "desc"]).default("asc").meta({
        description: "`asc`: oldest first. `desc`: newest first. A stream is always oldest first.",
      }),
      limit: paging.limit,
      runId: uuid.optional().meta({ description: "Returns only the events of this run and of its approvals." }),
      event: eventKind.optional().meta({
        description: "Returns only events of this kind. A page can be short or empty while `hasMore` is true.",
      }),
    }),
    feed: true,
    reply: EventFeed,
  }),
];
