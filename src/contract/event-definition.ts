/** The definition of an event kind. (docs/recipes.md#add-an-event) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { timestamp, uuid } from "./fields.ts";

type Definition<Data extends z.ZodObject> = {
  kind: string;
  /** Name of the schema of the event in the feed. The schema of a delivered body appends `Event`. */
  id: string;
  /** Whether endpoints can subscribe to it. Otherwise it is sent to an endpoint on request. */
  isSubscribable: boolean;
  summary: string;
  /** When it is sent and to which endpoints, in Markdown. */
  description: string;
  data: Data;
  example: z.output<Data>;
};

/** Adds the body of a delivery. All attempts send the same text. */
export function event<Data extends z.ZodObject>(definition: Definition<Data>) {
  const { kind, id, example } = definition;
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
  return { ...definition, data, body };
}
