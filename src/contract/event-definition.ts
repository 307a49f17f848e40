/** The definition of an event kind. (docs/recipes.md#add-an-event) */
import { z } from "zod";
import { eventExample } from "./event-examples.ts";
import { type EventKind, eventKinds } from "./event-kinds.ts";
import { timestamp, uuid } from "./fields.ts";

type Definition<Kind extends EventKind, Data extends z.ZodObject> = {
  kind: Kind;
  /** Name of the schema of the event in the feed. The schema of a delivered body appends `Event`. */
  id: string;
  /** When it is sent and to which endpoints, in Markdown. */
  description: string;
  data: Data;
};

/** Adds the summary and the body of a delivery. All attempts send the same text. */
export function event<Kind extends EventKind, Data extends z.ZodObject>(definition: Definition<Kind, Data>) {
  const { kind, id } = definition;
  const data = definition.data.meta({ description: "What the event is about." });
  const body = z
    .object({
      id: uuid.meta({ description: "Id of the delivery, the same for every attempt. Use it to detect duplicates." }),
      event: z.literal(kind),
      createdAt: timestamp,
      organisationId: uuid,
      data,
    })
    .meta({
      id: `${id}Event`,
      examples: [eventExample(kind)],
    });
  const { summary, isSubscribable }: { summary: string; isSubscribable: boolean } = eventKinds[kind];
  return { ...definition, summary, isSubscribable, data, body };
}
