/** What is posted to a hook: no operation for keys, since its credential is a signature. (src/http/hook-inbox.ts) */
import { ids } from "../../contract/examples.ts";
import { Received, receiveHook } from "../../contract/hook-inbox.ts";
import { headersOf } from "./headers.ts";
import type { OperationObject } from "./operations.ts";
import { type Refusals, reasonsByCode, wordReasons } from "./refusals.ts";
import type { Schemas } from "./schemas.ts";

const description = `
The body is said to the hook's bot, as it is: JSON or any other text in UTF-8, of 1 to 32,000 characters and at most 64 KB.
It starts a tainted run, whatever it says.

It is signed as our own deliveries are: \`X-Botstead-Timestamp\` in unix seconds, at most 300 from our clock, and
\`X-Botstead-Signature\`, in lower-case hex the HMAC-SHA-256 over \`v1:<timestamp>:<raw body>\` under the whole secret of the
hook as text. Or as [Standard Webhooks](https://www.standardwebhooks.com) says, with \`Webhook-Id\`, \`Webhook-Timestamp\`
and \`Webhook-Signature\`.

\`X-Botstead-Delivery\` names the delivery, for 24 hours: the same name with the same body is answered as it was before
and starts nothing, so what was not answered can be sent again; with another body it is a \`conflict\`. So is a signature
that has been used under another name. Without a name, the signature is the name.

An unknown hook, a wrong signature and an old one are \`unauthenticated\` alike; a hook that is paused is a \`conflict\`.
A hook takes 60 posts a minute, and the hooks of an organisation start 120 runs an hour (\`quota_exceeded\`).

Beyond the specification.
`.trim();

const inHeader = { in: "header", required: false } as const;

export function hookRoute(schemas: Schemas, refusals: Refusals): Record<string, OperationObject> {
  const body = { schema: {}, example: { alert: "The crane stands still.", since: "14:05" } };
  return {
    post: {
      operationId: receiveHook.name,
      tags: ["Hooks"],
      summary: "Post to an inbound webhook, signed",
      description: description + wordReasons(receiveHook),
      "x-botstead-reasons": reasonsByCode(receiveHook),
      security: [{ hookSignature: [] }],
      parameters: [
        {
          name: "id",
          in: "path",
          required: true,
          description: "The hook's id. Whatever else is here is `unauthenticated`.",
          schema: { type: "string", format: "uuid" },
          example: ids.hook,
        },
        {
          ...inHeader,
          name: "X-Botstead-Timestamp",
          description: "When it was signed, in unix seconds.",
          schema: { type: "string", pattern: "^[0-9]{1,12}$" },
        },
        {
          ...inHeader,
          name: "X-Botstead-Delivery",
          description: "The sender's own name for what it sends, the same when it is sent again.",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
        },
      ],
      requestBody: { required: true, content: { "application/json": body } },
      responses: {
        202: {
          description: "Taken: the run is started, or was when this was sent before.",
          headers: headersOf("RequestId", "RateLimitPolicy", "RateLimit", "IdempotentReplayed"),
          content: { "application/json": { schema: schemas.of(Received, "output"), example: { runId: ids.run } } },
        },
        ...refusals.of(receiveHook),
      },
    },
  };
}
