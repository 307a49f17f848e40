/** Operations on API keys. (docs/specification/keys.md) */
import { z } from "zod";
import { page, paging } from "./fields.ts";
import { Key, KeyChanges, KeyRotation, KeyShownOnce, KeyUsage, keyRevision, keyState, NewKey } from "./key-fields.ts";
import { operation } from "./operation.ts";

export const keys = [
  operation({
    name: "list_keys",
    method: "get",
    path: "/keys",
    scope: "admin",
    status: 200,
    summary: "List keys",
    searchTerms: "expiring, expiry, unused, who has access, secrets, old keys, which scripts have access, most used",
    description:
      "Lists all keys of the organisation, including revoked and expired ones. Keys themselves are not returned.",
    query: z.object({
      ...paging,
      state: keyState.optional().meta({ description: "Returns only keys in this state." }),
    }),
    list: true,
    reply: page(Key),
  }),
  operation({
    name: "create_key",
    method: "post",
    path: "/keys",
    scope: "admin",
    inPerson: true,
    status: 201,
    summary: "Create key",
    searchTerms:
      "generate, issue, service account, CI, give access, read only, not change anything, only look, " +
      "developer, integration, partner, let a program in, for a script, machine access",
    description:
      "Creates a key and returns it once. The new key is bound to the person of the calling key. The service stores only " +
      "a digest, so a lost key " +
      "has to be replaced. Revoked and expired keys do not count in the limit.",
    body: NewKey,
    reply: KeyShownOnce,
    revision: keyRevision,
    secret: "api-key",
    location: "/keys/",
  }),
  operation({
    name: "get_key",
    method: "get",
    path: "/keys/{id}",
    scope: "admin",
    status: 200,
    summary: "Retrieve key",
    searchTerms: "valid, expiry, last used, what this key can do, allowed",
    description: "Returns the name, scope, expiry and restrictions of a key, without the key itself.",
    pointRead: true,
    reply: Key,
    revision: keyRevision,
    refusals: ["not_found"],
  }),
  operation({
    name: "get_key_usage",
    method: "get",
    path: "/keys/{id}/usage",
    scope: "admin",
    status: 200,
    summary: "Retrieve key usage",
    searchTerms:
      "traffic, number of calls, used, how much, how often, activity, statistics, still in use, unused, " +
      "requests, integration, most used, busiest",
    description:
      "Counts requests with the key per day, for the last 90 days. Each process of the service adds its counts every 10 " +
      "seconds. A process that is killed loses the counts since.",
    reply: KeyUsage,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_key",
    method: "patch",
    path: "/keys/{id}",
    scope: "admin",
    status: 200,
    summary: "Update key",
    searchTerms:
      "restrict, limit, allow list, IP address, rate limit, rename, network, block, only from, office network, " +
      "whitelist, firewall, requests per minute, slow it down, where it may be used from",
    description:
      "Changes the name and the restrictions of a key. Requires at least one field. Scope and expiry stay as they are.",
    body: KeyChanges,
    reply: Key,
    revision: keyRevision,
    refusals: ["not_found"],
  }),
  operation({
    name: "rotate_key",
    method: "post",
    path: "/keys/{id}/rotate",
    scope: "admin",
    inPerson: true,
    status: 201,
    summary: "Rotate key",
    searchTerms: "expiring, public repository, new password, laptop, fresh",
    description:
      "Creates a key with the name, scope, lifetime and restrictions of the old one. The old key ends after `overlapHours`. " +
      "Until then both keys work, and both count in the limit.",
    body: KeyRotation,
    reply: KeyShownOnce,
    revision: keyRevision,
    secret: "api-key",
    location: "/keys/",
    refusals: ["not_found"],
    reasons: ["key_revoked", "key_rotated", "key_expired"],
  }),
  operation({
    name: "revoke_key",
    method: "delete",
    path: "/keys/{id}",
    scope: "admin",
    status: 200,
    summary: "Revoke key",
    searchTerms:
      "delete, remove, leaked, compromised, stolen, public repository, exposed, kill, take away access, " +
      "laptop, published, lost, secret, gone, no one uses it",
    description:
      "Ends a key: it stops working at once. Revoking a revoked key changes nothing and returns the first `revokedAt`.",
    reply: Key,
    revision: keyRevision,
    refusals: ["not_found"],
  }),
];
