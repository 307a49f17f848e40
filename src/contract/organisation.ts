/** The caller's own organisation. (docs/specification/organisation-and-me.md#organisation.) */
import { z } from "zod";
import { changes } from "./fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";
import { exampleOrganisation, Organisation } from "./platform.ts";

/** By the names of PostgreSQL's configurations: the languages it has a stemmer and stop words for. */
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
    description:
      "In which language claims are searched and recalled: its endings and its small words don't count. `simple` knows " +
      "no language and takes words as they are.",
  });

const OwnOrganisation = Organisation.extend({
  language,
  seats: z.object({
    limit: z.int().meta({ description: "Members and open invitations together." }),
    bought: z.int().nullable().meta({ description: "Seats paid for; null when seats are not counted." }),
    members: z.int(),
    openInvitations: z.int(),
  }),
  usage: z.object({
    month: z.string().meta({ description: "The calendar month in UTC, as 2026-11." }),
    spendMicroCents: z.int(),
    limitMicroCents: z.int().nullable(),
  }),
}).meta({
  id: "OwnOrganisation",
  examples: [
    {
      ...exampleOrganisation,
      language: "english",
      seats: { limit: 200, bought: null, members: 3, openInvitations: 1 },
      usage: { month: "2026-11", spendMicroCents: 0, limitMicroCents: null },
    },
  ],
});

const OrganisationChanges = changes({ name: name(120), language }).meta({
  id: "OrganisationChanges",
  examples: [{ name: "Harbour & Sons" }],
});

export const organisation = [
  operation({
    name: "get_own_organisation",
    method: "get",
    path: "/organisation",
    scope: "read",
    status: 200,
    summary: "Read the organisation, its seats and what it has spent this month",
    description:
      "The organisation that the key belongs to. Seats are taken by members and by open invitations; usage is of the " +
      "calendar month in UTC, in micro-cents, of which 1,000,000 are one cent.",
    pointRead: true,
    reply: OwnOrganisation,
  }),
  operation({
    name: "rename_organisation",
    method: "patch",
    path: "/organisation",
    scope: "admin",
    status: 200,
    summary: "Rename the organisation, or say its language",
    description:
      "The name is what invitations and people see. In another language claims are found once their words have been " +
      "taken anew, which a worker does at once: seconds, for tens of thousands of them. Nothing else is changed here.",
    body: OrganisationChanges,
    reply: OwnOrganisation,
  }),
];
