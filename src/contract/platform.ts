/** The four operations of a platform key. (docs/specification/platform.md#operations.) */
import { z } from "zod";
import { email } from "./email.ts";
import { ids, times } from "./examples.ts";
import { emailShown, page, paging, text, timestamp, uuid } from "./fields.ts";
import { expiresInDays, KeyShownOnce } from "./keys.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";

const organisationKind = z
  .enum(["team", "personal"])
  .meta({ id: "OrganisationKind", description: "A personal one is one person's: it has no members to manage." });

export const exampleOrganisation = {
  id: ids.organisation,
  name: "Harbour",
  kind: "team",
  billingState: "active",
  trialEndsAt: null,
  createdAt: times.founded,
};

export const Organisation = z
  .object({
    id: uuid,
    name: text(1, 120),
    kind: organisationKind,
    billingState: z.enum(["trial", "active", "none"]).meta({
      id: "BillingState",
      description: "Runs and seats need a trial that lasts, or `active`.",
    }),
    trialEndsAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "Organisation", examples: [exampleOrganisation] });

const FoundedOrganisation = Organisation.extend({
  owner: z
    .object({
      userId: uuid,
      email: emailShown,
      displayName: z.string().nullable().meta({
        description: "Null also for a person who was there before the organisation: their name was given elsewhere.",
      }),
    })
    .nullable()
    .meta({ description: "Its owner of longest standing." }),
}).meta({
  id: "FoundedOrganisation",
  examples: [
    {
      ...exampleOrganisation,
      owner: { userId: ids.owner, email: "olga@harbour.example", displayName: "Olga" },
    },
  ],
});

const NewOrganisation = z
  .object({
    name: name(120),
    kind: organisationKind.default("team"),
    owner: z.object({ email, displayName: name(120).nullish() }),
  })
  .meta({
    id: "NewOrganisation",
    examples: [{ name: "Harbour", owner: { email: "olga@harbour.example", displayName: "Olga" } }],
  });

const NewOwnerKey = z
  .object({ name: name(60).default("Owner key"), expiresInDays })
  .meta({ id: "NewOwnerKey", examples: [{ name: "Owner key", expiresInDays: 90 }] });

export const platform = [
  operation({
    name: "create_organisation",
    method: "post",
    path: "/platform/organisations",
    keyClass: "platform",
    scope: "admin",
    status: 201,
    summary: "Found an organisation",
    description: "Its owner is told by mail, and becomes a person here if the address is new.",
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
    description: "Every organisation of this service, with its owner. Nothing else of a tenant is shown.",
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
    description: "The organisation and its owner.",
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
    description:
      "How an organisation gets its first key, and how one that was lost is replaced. `quota_exceeded` when it holds 20 " +
      "live keys.",
    body: NewOwnerKey,
    reply: KeyShownOnce,
    secret: "api-key",
    location: "/keys/",
    refusals: ["not_found"],
    reasons: ["limit_keys"],
  }),
];
