/** API keys. (Part 2, "API key"; part 4, "Keys".) */
import { z } from "zod";
import { page, paging, text, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

export const Key = z.object({
  id: uuid,
  name: text(1, 60),
  prefix: z.string().length(12),
  scope: z.enum(["read", "write", "admin"]),
  createdBy: uuid,
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});

export const expiresInDays = z.int("must be an integer from 1 to 365").min(1).max(365).default(90);

const NewKey = z.object({
  name: text(1, 60),
  scope: z.enum(["read", "write", "admin"]).default("read"),
  expiresInDays,
});

export const KeyShownOnce = Key.extend({ key: z.string() });

export const keys = [
  operation({
    name: "list_keys",
    method: "get",
    path: "/keys",
    scope: "admin",
    status: 200,
    summary: "List keys",
    query: z.object(paging),
    list: true,
    reply: page(Key),
  }),
  operation({
    name: "create_key",
    method: "post",
    path: "/keys",
    scope: "admin",
    status: 201,
    summary: "Make a key, shown once",
    body: NewKey,
    reply: KeyShownOnce,
    secret: "api-key",
    location: "/keys/",
    refusals: ["quota_exceeded"],
  }),
  operation({
    name: "get_key",
    method: "get",
    path: "/keys/{id}",
    scope: "admin",
    status: 200,
    summary: "Read a key",
    pointRead: true,
    reply: Key,
    refusals: ["not_found"],
  }),
  operation({
    name: "rotate_key",
    method: "post",
    path: "/keys/{id}/rotate",
    scope: "admin",
    status: 201,
    summary: "Make a key that takes another's place; the old one ends after the overlap",
    body: z.object({
      overlapHours: z
        .int("must be an integer from 0 to 168")
        .min(0)
        .max(168)
        .default(24)
        .meta({ description: "How long both work; the old key never outlives its own expiry." }),
    }),
    reply: KeyShownOnce,
    secret: "api-key",
    location: "/keys/",
    refusals: ["not_found", "conflict", "quota_exceeded"],
  }),
  operation({
    name: "revoke_key",
    method: "delete",
    path: "/keys/{id}",
    scope: "admin",
    status: 200,
    summary: "Revoke a key",
    reply: Key,
    refusals: ["not_found"],
  }),
];
