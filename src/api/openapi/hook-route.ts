/** The route of posts to a hook. Its credential is a signature, not a key. (src/api/hook-inbox.ts) */
import { ids } from "../../contract/examples.ts";
import { Received, receiveHook } from "../../contract/hook-inbox.ts";
import { headersOf } from "./headers.ts";
import type { OperationObject } from "./operations.ts";
import { type Refusals, reasonsByCode, wordReasons } from "./refusals.ts";
import type { Schemas } from "./schemas.ts";

const description = `
The body becomes a message to the hook's bot and starts a tainted run. It is text in UTF-8, for example JSON, of 1 to 32,000
characters.

Sign the post as the service signs deliveries. \`X-Botstead-Timestamp\` is Unix time in seconds. It may differ from the
service's clock by at most 300 seconds. \`X-Botstead-Signature\` is the HMAC-SHA-256 of \`v1:<timestamp>:<raw body>\` in lower-case hex; the
HMAC key is the text of the hook's secret. Or use [Standard Webhooks](https://www.standardwebhooks.com) with \`Webhook-Id\`,
\`Webhook-Timestamp\` and \`Webhook-Signature\`.

The post takes no \`Idempotency-Key\`: the sender of a signed post cannot always add a header, and its signature and
identifier serve as the key. \`X-Botstead-Delivery\` identifies the delivery for 24 hours. The same identifier with the same body returns the first response
and starts no run, so a post can be retried. Without this header the signature is the identifier. Returns \`conflict\` if an
identifier is reused with another body, or a signature with another identifier.

Returns the same \`unauthenticated\` response for an unknown hook, a wrong signature and an old timestamp. A hook accepts 60 posts
a minute.

Beyond the specification.
`.trim();

const inHeader = { in: "header", required: false } as const;

export function hookRoute(schemas: Schemas, refusals: Refusals): Record<string, OperationObject> {
  const body = { schema: {}, example: { alert: "The crane stands still.", since: "14:05" } };
  return {
    post: {
      operationId: receiveHook.name,
      tags: ["Hooks"],
      summary: "Post signed message to hook",
      description: description + wordReasons(receiveHook),
      "x-botstead-reasons": reasonsByCode(receiveHook),
      security: [{ hookSignature: [] }],
      parameters: [
        {
          name: "id",
          in: "path",
          required: true,
          description: "Id of the hook. Any other value returns `unauthenticated`.",
          schema: { type: "string", format: "uuid" },
          example: ids.hook,
        },
        {
          ...inHeader,
          name: "X-Botstead-Timestamp",
          description: "Time of the signature, in Unix seconds.",
          schema: { type: "string", pattern: "^[0-9]{1,12}$" },
        },
        {
          ...inHeader,
          name: "X-Botstead-Delivery",
          description: "An identifier of the delivery, unique for 24 hours. Send the same one when you retry.",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
        },
      ],
      requestBody: { required: true, content: { "application/json": body } },
      responses: {
        202: {
          description: "Accepted. The run was started by this post or by an earlier post of the same delivery.",
          headers: headersOf("RequestId", "RateLimitPolicy", "RateLimit", "IdempotentReplayed"),
          content: { "application/json": { schema: schemas.of(Received, "output"), example: { runId: ids.run } } },
        },
        ...refusals.of(receiveHook),
      },
    },
  };
}
