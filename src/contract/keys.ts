/** API keys. (docs/specification/keys.md) */
import { z } from "zod";
import { ids, secrets, times } from "./examples.ts";
import { page, paging, text, timestamp, uuid } from "./fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";

const keyScope = z.enum(["read", "write", "admin"]).meta({
  id: "KeyScope",
  description:
    "`read` reaches every GET but those of keys, hooks, webhooks and deliveries, `/events` and `/audit`; `write` also " +
    "`/batch` and what changes bots, memories, runs and routines, but for `/memories/erase`; `admin` everything.",
});

const exampleKey = {
  id: ids.key,
  name: "CI",
  prefix: secrets.key.slice(0, 12),
  scope: "write",
  createdBy: ids.owner,
  createdAt: times.created,
  expiresAt: times.inDays90,
  lastUsedAt: null,
  revokedAt: null,
  usable: true,
};

export const Key = z
  .object({
    id: uuid,
    name: text(1, 60),
    prefix: z.string().length(12).meta({ description: "The first 12 characters of the key, to know it by." }),
    scope: keyScope,
    createdBy: uuid.meta({ description: "The person it is bound to: every call is made as them." }),
    createdAt: timestamp,
    expiresAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: "To the minute." }),
    revokedAt: timestamp.nullable(),
    usable: z.boolean().meta({
      description:
        "Whether calls with it are accepted: it is neither revoked nor expired, and its person is an owner or admin here. " +
        "The key of somebody who left works again once they are an owner or admin again.",
    }),
  })
  .meta({ id: "Key", examples: [exampleKey] });

export const expiresInDays = z.int("must be an integer from 1 to 365").min(1).max(365).default(90);

const NewKey = z
  .object({ name: name(60), scope: keyScope.default("read"), expiresInDays })
  .meta({ id: "NewKey", examples: [{ name: "CI", scope: "write", expiresInDays: 90 }] });

const KeyRotation = z
  .object({
    overlapHours: z
      .int("must be an integer from 0 to 168")
      .min(0)
      .max(168)
      .default(24)
      .meta({ description: "How long both work; the old key never outlives its own expiry." }),
  })
  .meta({ id: "KeyRotation", examples: [{ overlapHours: 24 }] });

export const KeyShownOnce = Key.extend({
  key: z
    .string()
    .regex(/^bsk_[0-9A-Za-z]{49}$/)
    .meta({ description: "The key itself. It is in this answer and in no other: keep it now." }),
}).meta({ id: "KeyShownOnce", examples: [{ ...exampleKey, key: secrets.key }] });

export const keys = [
  operation({
    name: "list_keys",
    method: "get",
    path: "/keys",
    scope: "admin",
    status: 200,
    summary: "List keys",
    description: "All keys of the organisation, including revoked and expired keys. No row holds the key itself.",
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
    description:
      "The new key is bound to the person of the key that makes it. Only a digest is kept, so a key that was lost is " +
      "replaced and not found again. `quota_exceeded` with 20 live keys; revoked and expired ones do not count.",
    body: NewKey,
    reply: KeyShownOnce,
    secret: "api-key",
    location: "/keys/",
    reasons: ["limit_keys"],
  }),
  operation({
    name: "get_key",
    method: "get",
    path: "/keys/{id}",
    scope: "admin",
    status: 200,
    summary: "Read a key",
    description: "One key, without the key itself.",
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
    description:
      "The new key has the name, the scope and the length of life of the old one. Both work until the overlap ends. " +
      "`conflict` when the old one is revoked or expired. `quota_exceeded` with 20 live keys, since both count while " +
      "both work.",
    body: KeyRotation,
    reply: KeyShownOnce,
    secret: "api-key",
    location: "/keys/",
    refusals: ["not_found"],
    reasons: ["key_revoked", "key_rotated", "key_expired", "limit_keys"],
  }),
  operation({
    name: "revoke_key",
    method: "delete",
    path: "/keys/{id}",
    scope: "admin",
    status: 200,
    summary: "Revoke a key",
    description: "It stops working at once. Revoking it again changes nothing, its first `revokedAt` included.",
    reply: Key,
    refusals: ["not_found"],
  }),
];
