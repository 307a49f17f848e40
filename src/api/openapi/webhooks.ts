/** Posts to webhook endpoints. (docs/specification/events.md#kinds) */
import { z } from "zod";
import { auditPart } from "../../contract/audit-streams.ts";
import { events } from "../../contract/events.ts";
import { ids } from "../../contract/examples.ts";
import type { Schemas } from "./schemas.ts";

const headers = [
  {
    name: "X-Botstead-Event",
    description: "The kind of event, as `event` in the body.",
    schema: { type: "string" },
  },
  {
    name: "X-Botstead-Delivery",
    description: "Id of the delivery, as `id` in the body. The same for every attempt.",
    schema: { type: "string", format: "uuid" },
    example: ids.delivery,
  },
  {
    name: "X-Botstead-Timestamp",
    description:
      "Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than " +
      "300 seconds.",
    schema: { type: "string", pattern: "^[0-9]+$" },
    example: "1795185600",
  },
  {
    name: "X-Botstead-Signature",
    description:
      "HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing " +
      "secret, including `whsec_`. Compare in constant time.",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    example: "5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190",
  },
  {
    name: "Webhook-Id",
    description: "Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.",
    schema: { type: "string", format: "uuid" },
    example: ids.delivery,
  },
  {
    name: "Webhook-Timestamp",
    description: "The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.",
    schema: { type: "string", pattern: "^[0-9]+$" },
    example: "1795185600",
  },
  {
    name: "Webhook-Signature",
    description:
      "`v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded " +
      "base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either " +
      "this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content " +
      "by the key at `/.well-known/webhooks.json`, during a rotation one for each key.",
    schema: { type: "string", pattern: "^v1,[A-Za-z0-9+/]{43}=( v1a,[A-Za-z0-9+/]{86}==)*$" },
    example: `v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,${"hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPC".padEnd(86, "x")}==`,
  },
].map((header) => ({ in: "header", required: true, ...header }));

export function describeWebhooks(schemas: Schemas): Record<string, object> {
  return Object.fromEntries([...events, auditPart].map((event) => [event.kind, { post: describe(event, schemas) }]));
}

type Posted = { kind: string; summary: string; description: string; body: z.ZodObject };

function describe({ kind, summary, description, body }: Posted, schemas: Schemas): object {
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
      "2XX": { description: "The delivery succeeded. Respond within 10 seconds. The response body is not stored." },
      "410": {
        description:
          "The endpoint is gone: the service disables it at once, and its pending deliveries fail. For " +
          "`webhook.test` this is a failure like any other.",
      },
      "4XX": {
        description:
          "The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with " +
          "delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can " +
          "extend a delay up to one hour.",
      },
    },
  };
}
