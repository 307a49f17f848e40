/** Headers of requests and responses. (docs/specification/conventions.md#answers) */
import { reasonHeader, reasons } from "../../contract/reasons.ts";
import { exampleEtag } from "../../contract/revision.ts";

export const headers = {
  RequestId: {
    description: "Identifies the request in the logs of the service. A replay has the id of the first request.",
    required: true,
    schema: { type: "string", format: "uuid" },
  },
  RateLimitPolicy: {
    description:
      'The rate limits in which the request was counted: `q` requests in `w` seconds. (IETF draft "RateLimit ' +
      'header fields".)',
    schema: { type: "string" },
    example: '"key";q=300;w=60, "organisation";q=1000;w=60',
  },
  RateLimit: {
    description: "Per rate limit: `r` remaining requests, and `t` seconds until it resets.",
    schema: { type: "string" },
    example: '"key";r=299;t=42, "organisation";r=997;t=42',
  },
  RetryAfter: {
    description: "Seconds to wait before the next request. Only with `rate_limited`.",
    schema: { type: "integer", const: 60 },
  },
  Reason: {
    description:
      "The reason of a refusal, for codes with several causes. `x-botstead-reasons` of an operation lists its " +
      "reasons. Reasons may be added.",
    schema: { type: "string", enum: Object.keys(reasons) },
    example: "member_exists",
  },
  Location: {
    description: "URL of the created resource.",
    required: true,
    schema: { type: "string", format: "uri" },
  },
  ETag: {
    description:
      "The revision of the resource, a weak entity tag. Fields that change without a PATCH, such as the time of the last use, " +
      "are no part of it.",
    required: true,
    schema: { type: "string", pattern: '^W/"[0-9a-f]+"$' },
    example: exampleEtag,
  },
  IdempotentReplayed: {
    description: "`true` if this is the stored response of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", const: "true" },
  },
  WwwAuthenticate: {
    description: "The authentication scheme.",
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
  ETag: "ETag",
  IdempotentReplayed: "Idempotent-Replayed",
  WwwAuthenticate: "WWW-Authenticate",
};

/** Headers of a response, as references. */
export function headersOf(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [wire[name], { $ref: `#/components/headers/${name}` }]));
}

export const parameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key " +
      "is not executed again and returns the stored response. So a request can be sent again if its response " +
      "was lost.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
    example: "5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55",
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: false,
    description:
      "The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is " +
      "changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.",
    schema: { type: "string", minLength: 1 },
    example: exampleEtag,
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    required: false,
    description:
      "The `id` of the last event that you received; the stream continues after it. By default it starts with the " +
      "first event.",
    schema: { type: "integer", minimum: 0, maximum: 999_999_999 },
    example: 2,
  },
} as const;
