/** The caller. (docs/specification/organisation-and-me.md#me.) */
import { z } from "zod";
import { ids, secrets, times } from "./examples.ts";
import { emailShown, uuid } from "./fields.ts";
import { Key } from "./keys.ts";
import { memberRole } from "./members.ts";
import { operation } from "./operation.ts";
import { exampleOrganisation, Organisation } from "./platform.ts";

const use = z
  .object({ limit: z.int().nullable().meta({ description: "Null if there is no limit." }), used: z.int() })
  .meta({ id: "Use", description: "A limit and its current use." });

const Me = z
  .object({
    key: Key,
    person: z.object({ userId: uuid, email: emailShown, displayName: z.string().nullable(), role: memberRole }),
    organisation: Organisation,
    limits: z.object({
      liveKeys: use,
      liveWebhooks: use,
      openInvitations: use,
      invitationsPerHour: use.meta({
        description: "Invitation mails in the last hour. The limit defaults to that of `seats`.",
      }),
      invitationsPerAddressPerDay: use.meta({
        description:
          "Invitation mails to one address in the last 24 hours. `used` is the count of the address with the most.",
      }),
      seats: use.meta({ description: "Members plus open invitations." }),
      runStartsPerHour: use.meta({ description: "Runs started by people and scripts in the last hour." }),
      routineStartsPerHour: use.meta({ description: "Runs started by routines in the last hour." }),
      webhookStartsPerHour: use.meta({ description: "Runs started by hooks in the last hour." }),
      liveRoutines: use,
      liveHooks: use,
      monthlySpendMicroCents: use,
    }),
  })
  .meta({
    id: "Me",
    examples: [
      {
        key: {
          id: ids.key,
          name: "CI",
          prefix: secrets.key.slice(0, 12),
          scope: "read",
          createdBy: ids.owner,
          createdAt: times.created,
          expiresAt: times.inDays90,
          lastUsedAt: times.finished,
          revokedAt: null,
          usable: true,
        },
        person: { userId: ids.owner, email: "olga@harbour.example", displayName: "Olga", role: "owner" },
        organisation: exampleOrganisation,
        limits: {
          liveKeys: { limit: 20, used: 3 },
          liveWebhooks: { limit: 10, used: 1 },
          openInvitations: { limit: 50, used: 2 },
          invitationsPerHour: { limit: 200, used: 1 },
          invitationsPerAddressPerDay: { limit: 5, used: 1 },
          seats: { limit: 200, used: 14 },
          runStartsPerHour: { limit: 120, used: 4 },
          routineStartsPerHour: { limit: 120, used: 1 },
          webhookStartsPerHour: { limit: 120, used: 0 },
          liveRoutines: { limit: 50, used: 2 },
          liveHooks: { limit: 10, used: 1 },
          monthlySpendMicroCents: { limit: null, used: 0 },
        },
      },
    ],
  });

export const me = [
  operation({
    name: "get_me",
    method: "get",
    path: "/me",
    scope: "read",
    status: 200,
    summary: "Retrieve the calling key, its person, organisation and limits",
    description: "Works with every scope.",
    pointRead: true,
    reply: Me,
  }),
];
