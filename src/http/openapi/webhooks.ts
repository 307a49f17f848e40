/** What is posted to webhook endpoints, as the document shows it. (docs/specification/events.md#kinds) */
import { z } from "zod";
import { events, type WebhookEvent } from "../../contract/events.ts";
import { ids } from "../../contract/examples.ts";
import type { Schemas } from "./schemas.ts";

const headers = [
  {
    name: "X-Botstead-Event",
    description: "What happened; the same as `event` in the body.",
    schema: { type: "string" },
  },
  {
    name: "X-Botstead-Delivery",
    description: "The delivery's id; the same as `id` in the body, and at every attempt.",
    schema: { type: "string", format: "uuid" },
    example: ids.delivery,
  },
  {
    name: "X-Botstead-Timestamp",
    description: "When this attempt was signed, in unix seconds. Refuse what is more than 300 seconds from your clock.",
    schema: { type: "string", pattern: "^[0-9]+$" },
    example: "1795185600",
  },
  {
    name: "X-Botstead-Signature",
    description:
      "HMAC-SHA-256 in lower-case hex over `v1:<timestamp>:<raw body>`, its key the whole signing secret as text, `whsec_` " +
      "included. Compare in constant time.",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    example: "5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190",
  },
  {
    name: "Webhook-Id",
    description:
      "The delivery's id once more, under the name that [Standard Webhooks](https://www.standardwebhooks.com) gives it.",
    schema: { type: "string", format: "uuid" },
    example: ids.delivery,
  },
  {
    name: "Webhook-Timestamp",
    description: "The same time once more, for Standard Webhooks.",
    schema: { type: "string", pattern: "^[0-9]+$" },
    example: "1795185600",
  },
  {
    name: "Webhook-Signature",
    description:
      "`v1,` and in base64 the HMAC-SHA-256 over `<id>.<timestamp>.<raw body>`, its key what the base64 after `whsec_` stands " +
      "for. A library of Standard Webhooks verifies it, given the signing secret as it was shown. Verify one of the two.",
    schema: { type: "string", pattern: "^v1,[A-Za-z0-9+/]{43}=$" },
    example: "v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A=",
  },
].map((header) => ({ in: "header", required: true, ...header }));

export function describeWebhooks(schemas: Schemas): Record<string, object> {
  return Object.fromEntries(events.map((event) => [event.kind, { post: describe(event, schemas) }]));
}

function describe({ kind, summary, description, body }: WebhookEvent, schemas: Schemas): object {
  const [example] = (z.globalRegistry.get(body)?.examples ?? []) as unknown[];
  return {
    operationId: `on_${kind.replace(".", "_")}`,
    tags: ["Webhooks"],
    summary,
    description,
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemas.of(body, "output"), example } },
    },
    responses: {
      "2XX": { description: "It arrived. Answer within 10 seconds; what the body holds is not kept." },
      "410": {
        description:
          "The receiver wants no more: the endpoint is disabled at once, and what waited for it has failed. To a `webhook.test` it " +
          "is a status like any other 4XX.",
      },
      "4XX": {
        description:
          "It did not arrive, as with any status but a 2xx: it is sent again after 60 seconds, 5 minutes, 30 minutes and 2 " +
          "hours, five times in all. `Retry-After`, in seconds or as a date, makes that wait longer, up to an hour, and never shorter.",
      },
    },
  };
}
