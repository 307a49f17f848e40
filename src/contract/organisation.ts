/** The caller's own organisation. (docs/specification/organisation-and-me.md#organisation) */
import { z } from "zod";
import { changes, timestamp } from "./fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";
import { exampleOrganisation, Organisation } from "./platform.ts";
import { revisionIgnoring } from "./revision.ts";

/** Names of PostgreSQL text search configurations. */
const language = z
  .enum([
    "simple",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "hungarian",
    "italian",
    "nepali",
    "norwegian",
    "portuguese",
    "russian",
    "spanish",
    "swedish",
    "turkish",
  ])
  .meta({
    id: "Language",
    description: "Language of memory search: determines stemming and stop words. `simple` uses neither.",
  });

const OwnOrganisation = Organisation.extend({
  language,
  deletionAt: timestamp.nullable(),
  seats: z.object({
    limit: z.int().meta({ description: "Maximum of members plus open invitations." }),
    bought: z.int().nullable().meta({ description: "Number of seats paid for. Null if seats are not counted." }),
    members: z.int(),
    openInvitations: z.int(),
  }),
  usage: z.object({
    month: z.string().meta({ description: "Calendar month in UTC, as `2026-11`." }),
    spendMicroCents: z.int(),
    limitMicroCents: z.int().nullable(),
  }),
}).meta({
  id: "OwnOrganisation",
  examples: [
    {
      ...exampleOrganisation,
      language: "english",
      deletionAt: null,
      seats: { limit: 200, bought: null, members: 3, openInvitations: 1 },
      usage: { month: "2026-11", spendMicroCents: 0, limitMicroCents: null },
    },
  ],
});

const OrganisationChanges = changes({ name: name(120), language }).meta({
  id: "OrganisationChanges",
  examples: [{ name: "Harbour & Sons" }],
});

const revision = revisionIgnoring("seats", "usage");

export const organisation = [
  operation({
    name: "get_own_organisation",
    method: "get",
    path: "/organisation",
    scope: "read",
    status: 200,
    summary: "Retrieve organisation",
    searchTerms:
      "plan, active subscription, billing, payment, trial, licence, cost, budget, money, bill, expensive, " +
      "subscription, pay, paid, invoice, contract, credit, are we paying, when does the trial end, suspended, " +
      "seats",
    description:
      "Returns the organisation of the key with its seats and its spending in the current calendar month (UTC). " +
      "Members and open invitations use seats. Spending is in micro-cents: 1,000,000 micro-cents are one cent.",
    pointRead: true,
    reply: OwnOrganisation,
    revision,
  }),
  operation({
    name: "rename_organisation",
    method: "patch",
    path: "/organisation",
    scope: "admin",
    status: 200,
    summary: "Update organisation",
    searchTerms: "settings, rename, company name, new name, rebrand, called",
    description:
      "Changes the name or the language of the organisation. After a change of `language` a worker rebuilds the search " +
      "vectors of all memories. This takes seconds " +
      "for tens of thousands of memories; until then search can miss memories.",
    body: OrganisationChanges,
    reply: OwnOrganisation,
    revision,
  }),
];
