/** The caller's own organisation. (decisions: section 3.) */
import { z } from "zod";
import { text } from "./fields.ts";
import { operation } from "./operation.ts";
import { exampleOrganisation, Organisation } from "./platform.ts";

const OwnOrganisation = Organisation.extend({
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
      seats: { limit: 200, bought: null, members: 3, openInvitations: 1 },
      usage: { month: "2026-11", spendMicroCents: 0, limitMicroCents: null },
    },
  ],
});

const OrganisationChanges = z
  .object({ name: text(1, 120) })
  .meta({ id: "OrganisationChanges", examples: [{ name: "Harbour & Sons" }] });

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
    summary: "Rename the organisation",
    description: "The name is what invitations and people see. Nothing else of an organisation is changed here.",
    body: OrganisationChanges,
    reply: OwnOrganisation,
  }),
];
