/** Headers of requests and of answers. (docs/specification/conventions.md#answers) */
import { reasonHeader, reasons } from "../../contract/reasons.ts";

export const headers = {
  RequestId: {
    description:
      "Names the request in our log. A replay of an idempotent response carries the id of the request that was first answered.",
    required: true,
    schema: { type: "string", format: "uuid" },
  },
  RateLimitPolicy: {
    description:
      "The buckets that the request counted in: `q` requests in `w` seconds. (IETF draft, RateLimit fields.)",
    schema: { type: "string" },
    example: '"key";q=300;w=60, "organisation";q=1000;w=60',
  },
  RateLimit: {
    description: "What is left in each bucket, `r`, and for how many seconds, `t`.",
    schema: { type: "string" },
    example: '"key";r=299;t=42, "organisation";r=997;t=42',
  },
  RetryAfter: {
    description: "Seconds to wait. With `rate_limited` alone.",
    schema: { type: "integer", const: 60 },
  },
  Reason: {
    description:
      "Why, in one fixed word, where the code alone does not say it: `x-botstead-reasons` of an operation lists its " +
      "reasons. Words may be added.",
    schema: { type: "string", enum: Object.keys(reasons) },
    example: "member_exists",
  },
  Location: {
    description: "Where the row that was made is to be read.",
    required: true,
    schema: { type: "string", format: "uri" },
  },
  IdempotentReplayed: {
    description: "`true` when this is the stored response of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", const: "true" },
  },
  WwwAuthenticate: {
    description: "The scheme of the credential that is missing.",
    required: true,
    schema: { type: "string", const: "Bearer" },
  },
} as const;

export type HeaderName = keyof typeof headers;

const wire: Record<HeaderName, string> = {
  RequestId: "X-Request-Id",
  RateLimitPolicy: "RateLimit-Policy",
  RateLimit: "RateLimit",
  RetryAfter: "Retry-After",
  Reason: reasonHeader,
  Location: "Location",
  IdempotentReplayed: "Idempotent-Replayed",
  WwwAuthenticate: "WWW-Authenticate",
};

/** The headers of an answer, as references. */
export function headersOf(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [wire[name], { $ref: `#/components/headers/${name}` }]));
}

export const parameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 " +
      "hours and done once, so a request whose answer was lost can be sent again.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
    example: "5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55",
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    required: false,
    description: "The `id` of the last event that was read: the stream goes on after it. Left out: from the first.",
    schema: { type: "integer", minimum: 0, maximum: 999_999_999 },
    example: 2,
  },
} as const;
