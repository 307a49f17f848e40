/*
 * The refusals of each area. (docs/specification/conventions.md#errors)
 * Rows in braces are made for the request. If `when` names a fixture in error-fixtures.ts, the same request is
 * accepted without the fixture; otherwise the request itself is at fault.
 */
import type { RefusalCode } from "../../src/contract/refusals.ts";
import type { Json } from "../support/api.ts";

export type Row = [status: number, code: RefusalCode, when: string, request: string, body?: Json];

/** What each area accepts, and its operation. */
export const areas: Record<string, { operation: string; path: string; body: Json }> = {
  Keys: { operation: "create_key", path: "/keys", body: { name: "CI" } },
  Memories: {
    operation: "create_memory",
    path: "/memories",
    body: { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" },
  },
  Runs: { operation: "start_run", path: "/runs", body: { botId: "{bot}", message: "Hello" } },
  Webhooks: {
    operation: "create_webhook",
    path: "/webhooks",
    body: { url: "https://receiver.example/hook", events: ["run.finished"] },
  },
  "Members and invitations": {
    operation: "create_invitation",
    path: "/invitations",
    body: { email: "nora@harbour.example" },
  },
};

const newMemory = areas.Memories?.body;
const botMemory = { ...newMemory, scope: "bot" };
const hook = areas.Webhooks?.body;
const recovery = { since: new Date(Date.now() - 3_600_000).toISOString(), include: "failed" };
const soon = new Date(Date.now() + 3_600_000).toISOString();
const invitation = areas["Members and invitations"]?.body;

/** Refusals that are the same in every area. */
const everywhere: [number, RefusalCode, string][] = [
  [400, "invalid_request", "the Idempotency-Key is missing"],
  [401, "unauthenticated", "there is no credential"],
  [401, "unauthenticated", "the key is unknown"],
  [401, "unauthenticated", "the key is revoked"],
  [401, "unauthenticated", "the key is expired"],
  [401, "unauthenticated", "the key is a platform key"],
  [401, "unauthenticated", "the key's scope is too small"],
  [401, "unauthenticated", "the key's creator is no longer an admin"],
  [413, "payload_too_large", "the body is over its limit"],
  [422, "idempotency_mismatch", "the Idempotency-Key was used with another body"],
  [429, "rate_limited", "the key's bucket is full"],
  [500, "internal", "the service is at fault"],
];

const particular: Record<string, Row[]> = {
  Keys: [
    [400, "invalid_request", "the name is empty", "POST /keys", { name: "" }],
    [400, "invalid_request", "the name is too long", "POST /keys", { name: "a".repeat(61) }],
    [400, "invalid_request", "the life is too short", "POST /keys", { name: "CI", expiresInDays: 0 }],
    [400, "invalid_request", "the life is too long", "POST /keys", { name: "CI", expiresInDays: 366 }],
    [404, "not_found", "the id is unknown", "GET /keys/{absent}"],
    [409, "conflict", "the key to be rotated is revoked", "POST /keys/{key}/rotate", {}],
    [429, "quota_exceeded", "there are 20 live keys", "POST /keys", { name: "CI" }],
  ],
  Memories: [
    [400, "invalid_request", "an organisation's memory has a bot", "POST /memories", { ...newMemory, botId: "{bot}" }],
    [400, "invalid_request", "a bot's memory has none", "POST /memories", botMemory],
    [400, "invalid_request", "the kind is too long", "POST /memories", { ...newMemory, kind: "a".repeat(61) }],
    [400, "invalid_request", "the subject is too long", "POST /memories", { ...newMemory, subject: "a".repeat(201) }],
    [400, "invalid_request", "the value is too long", "POST /memories", { ...newMemory, value: "a".repeat(4001) }],
    [400, "invalid_request", "the confidence is over 1", "POST /memories", { ...newMemory, confidence: 1.01 }],
    [400, "invalid_request", "no field is named", "PATCH /memories/{memory}", {}],
    [403, "forbidden", "the memory is a member's own", "PATCH /memories/{memory}", { value: "Ten to six" }],
    [403, "forbidden", "the memory is a member's own", "DELETE /memories/{memory}"],
    [404, "not_found", "the id is unknown", "GET /memories/{absent}"],
    [404, "not_found", "the bot is another person's personal one", "POST /memories", { ...botMemory, botId: "{bot}" }],
  ],
  Runs: [
    [400, "invalid_request", "the message is empty", "POST /runs", { botId: "{bot}", message: "" }],
    [400, "invalid_request", "the message is too long", "POST /runs", { botId: "{bot}", message: "a".repeat(32_001) }],
    [402, "payment_required", "the organisation does not pay", "POST /runs", { botId: "{bot}", message: "Hello" }],
    [404, "not_found", "the bot is another person's personal one", "POST /runs", { botId: "{bot}", message: "Hello" }],
    [404, "not_found", "only the bot's owner talks to it", "POST /runs", { botId: "{bot}", message: "Hello" }],
    [404, "not_found", "the id is unknown", "GET /runs/{absent}"],
    [404, "not_found", "the id is unknown", "POST /runs/{absent}/cancel"],
    [429, "quota_exceeded", "120 runs were started this hour", "POST /runs", { botId: "{bot}", message: "Hello" }],
    [503, "unavailable", "nothing is there to carry it out", "POST /runs", { botId: "{bot}", message: "Hello" }],
  ],
  Webhooks: [
    [400, "invalid_request", "the URL is not https", "POST /webhooks", { ...hook, url: "http://receiver.example/" }],
    [400, "invalid_request", "the URL names localhost", "POST /webhooks", { ...hook, url: "https://localhost/" }],
    [400, "invalid_request", "the URL is private", "POST /webhooks", { ...hook, url: "https://10.0.0.1/" }],
    [
      400,
      "invalid_request",
      "the URL is too long",
      "POST /webhooks",
      { ...hook, url: `https://a.example/${"a".repeat(2031)}` },
    ],
    [
      400,
      "invalid_request",
      "the description is too long",
      "POST /webhooks",
      { ...hook, description: "a".repeat(201) },
    ],
    [400, "invalid_request", "no event is named", "POST /webhooks", { ...hook, events: [] }],
    [400, "invalid_request", "since is to come", "POST /webhooks/{webhook}/recover", { ...recovery, since: soon }],
    [400, "invalid_request", "nothing is included", "POST /webhooks/{webhook}/recover", { since: recovery.since }],
    [400, "invalid_request", "since is no time", "GET /webhooks/{webhook}/stats?since=never"],
    [400, "invalid_request", "after is no cursor", "GET /events?after=0"],
    [404, "not_found", "the id is unknown", "GET /webhooks/{absent}"],
    [404, "not_found", "the id is unknown", "GET /webhooks/{absent}/stats"],
    [404, "not_found", "the id is unknown", "POST /webhooks/{absent}/recover", recovery],
    [409, "conflict", "the endpoint is paused", "POST /webhooks/{webhook}/recover", recovery],
    [409, "conflict", "the endpoint is disabled", "POST /webhooks/{webhook}/recover", recovery],
    [404, "not_found", "the id is unknown", "GET /deliveries/{absent}"],
    [409, "conflict", "the endpoint is paused", "POST /webhooks/{webhook}/test"],
    [409, "conflict", "the endpoint is disabled", "POST /webhooks/{webhook}/test"],
    [409, "conflict", "the endpoint is deleted", "POST /webhooks/{webhook}/test"],
    [409, "conflict", "the delivery has not failed", "POST /deliveries/{delivery}/redeliver"],
    [429, "quota_exceeded", "there are 10 live endpoints", "POST /webhooks", hook],
  ],
  "Members and invitations": [
    [400, "invalid_request", "the role is unknown", "PATCH /members/{member}", { role: "chief" }],
    [400, "invalid_request", "the invited role is owner", "POST /invitations", { ...invitation, role: "owner" }],
    [400, "invalid_request", "the e-mail is no address", "POST /invitations", { email: "nora" }],
    [402, "payment_required", "the organisation does not pay", "POST /invitations", invitation],
    [403, "forbidden", "they are the last owner", "PATCH /members/{self}", { role: "admin" }],
    [403, "forbidden", "they would remove themself", "DELETE /members/{self}"],
    [403, "forbidden", "the organisation is personal", "GET /members"],
    [403, "forbidden", "the organisation is personal", "GET /members/{member}"],
    [403, "forbidden", "the organisation is personal", "PATCH /members/{member}", { role: "admin" }],
    [403, "forbidden", "the organisation is personal", "DELETE /members/{member}"],
    [403, "forbidden", "the organisation is personal", "GET /invitations"],
    [403, "forbidden", "the organisation is personal", "POST /invitations", invitation],
    [403, "forbidden", "the organisation is personal", "DELETE /invitations/{invitation}"],
    [404, "not_found", "the id is unknown", "GET /members/{absent}"],
    [404, "not_found", "the id is unknown", "DELETE /invitations/{absent}"],
    [409, "conflict", "the address is invited already", "POST /invitations", invitation],
    [429, "quota_exceeded", "there are 50 open invitations", "POST /invitations", invitation],
    [429, "quota_exceeded", "200 seats are taken", "POST /invitations", invitation],
  ],
};

export const matrix: [area: string, ...Row][] = Object.entries(areas).flatMap(([area, { path, body }]) => [
  ...everywhere.map((row): [string, ...Row] => [area, ...row, `POST ${path}`, body]),
  [area, 405, "not_supported", "the route lacks the method", `PUT ${path}`, body],
  ...(particular[area] ?? []).map((row): [string, ...Row] => [area, ...row]),
]);
