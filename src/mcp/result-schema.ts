/** The schema of results of calls. All members are optional, because a refusal has others than a success. (results.ts) */

import type { JsonSchema } from "../api/openapi/schemas.ts";
import { refusals } from "../contract/refusals.ts";
import { object, text } from "./json-schema.ts";

const seconds = { type: "integer", description: "Wait this long before the next call." };

export const errorSchema: JsonSchema = {
  ...object(
    {
      code: { type: "string", description: `One of: ${Object.keys(refusals).join(", ")}.` },
      reason: text("The cause, where a code has several, such as `member_exists`."),
      message: text("What is wrong."),
      details: {
        type: "array",
        description: "The invalid arguments.",
        items: object({ path: text("Name of the argument."), message: text("What is wrong with it.") }),
      },
      requestId: text("Id of the request in the logs of the service."),
      retryAfterSeconds: seconds,
      hint: text("What to do about it."),
    },
    ["code", "message"],
  ),
  description: "Why nothing was done. Absent in a success.",
};

export const callResult = object({
  status: { type: "integer", description: "HTTP status of the response." },
  requestId: text("Id of the request in the logs of the service."),
  idempotencyKey: text("Pass it among the arguments to repeat the same call without doing it twice."),
  replayed: { type: "boolean", description: "Whether this is the stored result of an earlier call." },
  etag: text("Revision of the resource: the `ifMatch` of an update."),
  secrets: {
    type: "array",
    description: "Where `body` holds a secret, and where to keep it.",
    items: object({ path: text("Where it is."), hint: text("Where to keep it.") }),
  },
  body: { type: "object", description: "The result, as `bodySchema` of describe_operation describes it." },
  note: text("Why the body is missing."),
  error: errorSchema,
});

/** The same in few words, for a list with a tool for each operation. */
export const briefResult = object({
  status: { type: "integer" },
  requestId: { type: "string" },
  secrets: { type: "array", items: { type: "object" } },
  body: { type: "object" },
  error: { type: "object" },
});
