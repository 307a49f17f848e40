/** The four operations of a platform key. (decisions: "Platform key".) */
import { z } from "zod";
import { email, page, paging, text, timestamp, uuid } from "./fields.ts";
import { expiresInDays, KeyShownOnce } from "./keys.ts";
import { operation } from "./operation.ts";

export const Organisation = z.object({
  id: uuid,
  name: text(1, 120),
  kind: z.enum(["team", "personal"]),
  billingState: z.enum(["trial", "active", "none"]),
  trialEndsAt: timestamp.nullable(),
  createdAt: timestamp,
});

const FoundedOrganisation = Organisation.extend({
  owner: z.object({ userId: uuid, email: z.string(), displayName: z.string().nullable() }).nullable(),
});

const NewOrganisation = z.object({
  name: text(1, 120),
  kind: z.enum(["team", "personal"]).default("team"),
  owner: z.object({
    email,
    displayName: text(1, 120).nullish(),
  }),
});

const NewOwnerKey = z.object({ name: text(1, 60).default("Owner key"), expiresInDays });

export const platform = [
  operation({
    name: "create_organisation",
    method: "post",
    path: "/platform/organisations",
    keyClass: "platform",
    scope: "admin",
    status: 201,
    summary: "Found an organisation",
    body: NewOrganisation,
    reply: FoundedOrganisation,
    location: "/platform/organisations/",
  }),
  operation({
    name: "list_organisations",
    method: "get",
    path: "/platform/organisations",
    keyClass: "platform",
    scope: "admin",
    status: 200,
    summary: "List organisations",
    query: z.object(paging),
    list: true,
    reply: page(FoundedOrganisation),
  }),
  operation({
    name: "get_organisation",
    method: "get",
    path: "/platform/organisations/{id}",
    keyClass: "platform",
    scope: "admin",
    status: 200,
    summary: "Read an organisation",
    pointRead: true,
    reply: FoundedOrganisation,
    refusals: ["not_found"],
  }),
  operation({
    name: "create_owner_key",
    method: "post",
    path: "/platform/organisations/{id}/owner-key",
    keyClass: "platform",
    scope: "admin",
    status: 201,
    summary: "Make an admin key bound to the organisation's owner, shown once",
    body: NewOwnerKey,
    reply: KeyShownOnce,
    secret: "api-key",
    location: "/keys/",
    refusals: ["not_found", "quota_exceeded"],
  }),
];
