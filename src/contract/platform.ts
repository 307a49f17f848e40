/** The four operations of a platform key. (docs/specification/platform.md#operations) */
import { z } from "zod";
import { email } from "./email.ts";
import { enumerations } from "./enumerations.ts";
import { ids, times } from "./examples.ts";
import { emailShown, page, paging, text, timestamp, uuid } from "./fields.ts";
import { expiresInDays, KeyShownOnce, keyRevision } from "./key-fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";

const organisationKind = z
  .enum(enumerations.OrganisationKind)
  .meta({ id: "OrganisationKind", description: "`personal`: belongs to one person and has no members to manage." });

export const exampleOrganisation = {
  id: ids.organisation,
  name: "Harbour",
  kind: "team",
  billingState: "active",
  trialEndsAt: null,
  createdAt: times.organisationCreated,
};

export const Organisation = z
  .object({
    id: uuid,
    name: text(1, 120),
    kind: organisationKind,
    billingState: z.enum(enumerations.BillingState).meta({
      id: "BillingState",
      description: "Starting runs and adding members require `active`, or a `trial` that has not ended.",
    }),
    trialEndsAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "Organisation", description: "One customer of the service.", examples: [exampleOrganisation] });

const CreatedOrganisation = Organisation.extend({
  owner: z
    .object({
      userId: uuid,
      email: emailShown,
      displayName: z.string().nullable().meta({
        description: "Null also for a person who existed before the organisation and was named elsewhere.",
      }),
    })
    .nullable()
    .meta({ description: "The owner who has been a member for the longest time." }),
}).meta({
  id: "CreatedOrganisation",
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

/** The cell is unknown, or takes no new organisations. */
export const noOpenCell = { path: "query.cell", message: "must be the name of an open cell" };

const NewOwnerKey = z
  .object({ name: name(60).default("Owner key"), expiresInDays })
  .meta({ id: "NewOwnerKey", examples: [{ name: "Owner key", expiresInDays: 90 }] });

export const getOrganisation = operation({
  name: "get_organisation",
  method: "get",
  path: "/platform/organisations/{id}",
  keyClass: "platform",
  scope: "admin",
  status: 200,
  summary: "Retrieve organisation",
  searchTerms: "tenant, customer, company, account, workspace",
  description: "Returns the organisation with its owner.",
  pointRead: true,
  reply: CreatedOrganisation,
  refusals: ["not_found"],
});

export const platform = [
  operation({
    name: "create_organisation",
    method: "post",
    path: "/platform/organisations",
    keyClass: "platform",
    scope: "admin",
    status: 201,
    summary: "Create organisation",
    searchTerms: "tenant, customer, company, account, workspace, sign up, onboard",
    description: "Notifies the owner by mail. Creates the person if the address is new.",
    query: z.object({
      cell: text(1, 40).optional().meta({
        description:
          "The cell of the organisation, if the service has several. Defaults to the open one with the fewest organisations.",
      }),
    }),
    inspect: ({ cell }, { hasDirectory }) => (cell !== undefined && !hasDirectory ? [noOpenCell] : []),
    body: NewOrganisation,
    reply: CreatedOrganisation,
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
    searchTerms: "tenants, customers, companies, accounts, workspaces",
    description: "Lists every organisation of the service with its owner. No other data of tenants is returned.",
    query: z.object(paging),
    list: true,
    reply: page(CreatedOrganisation),
  }),
  getOrganisation,
  operation({
    name: "create_owner_key",
    method: "post",
    path: "/platform/organisations/{id}/owner-key",
    keyClass: "platform",
    scope: "admin",
    status: 201,
    summary: "Create key for owner",
    searchTerms: "API key, token, credential, first, lost, bootstrap, tenant, access",
    description:
      "Creates an admin key that is bound to the owner, for example as the first key of an organisation or to " +
      "replace a lost one.",
    body: NewOwnerKey,
    reply: KeyShownOnce,
    revision: keyRevision,
    secret: "api-key",
    location: "/keys/",
    refusals: ["not_found"],
  }),
];
