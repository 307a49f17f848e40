/** The caller. (docs/specification/organisation-and-me.md#me) */
import { z } from "zod";
import { ids, secrets, times } from "./examples.ts";
import { emailShown, uuid } from "./fields.ts";
import { Key } from "./key-fields.ts";
import { defaultOf, eachLimit } from "./limits.ts";
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
    limits: z.object(eachLimit(({ description }) => (description ? use.meta({ description }) : use))),
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
          allowedIps: null,
          ratePerMinute: null,
        },
        person: { userId: ids.owner, email: "olga@harbour.example", displayName: "Olga", role: "owner" },
        organisation: exampleOrganisation,
        limits: eachLimit((limit) => ({ limit: defaultOf(limit), used: limit.used })),
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
    summary: "Retrieve caller and limits",
    searchTerms:
      "who am I, whoami, current user, my account, my role, identity, permissions, valid, quota, rate limit, " +
      "remaining, left, what this key can do, allowed, capabilities, throttled, close to the limit, " +
      "how much is left, my own role, what may I do, not allowed, may not, why can I not, forbidden, " +
      "logged in as, used up, run out, how much may I use, spent",
    description:
      "Returns the key, its person and role, and the organisation's limits with their use. Works with every scope.",
    pointRead: true,
    reply: Me,
  }),
];
