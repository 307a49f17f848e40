/** Fields and bodies of API keys. (docs/specification/keys.md) */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { parseRange } from "../delivery/cidr.ts";
import { enumerations } from "./enumerations.ts";
import { ids, secrets, times } from "./examples.ts";
import { changes, text, timestamp, uuid } from "./fields.ts";
import { name } from "./names.ts";
import { revisionIgnoring } from "./revision.ts";

export const keyScope = z.enum(enumerations.KeyScope).meta({
  id: "KeyScope",
  description:
    "`read`: every GET except those of keys, hooks, webhooks, deliveries, `/events` and `/audit`. `write`: also " +
    "`/batch` and changes of bots, memories, runs and routines, except `/memories/erase`. `admin`: everything.",
});

export const keyState = z.enum(enumerations.KeyState).meta({
  id: "KeyState",
  description: "`live`: neither revoked nor expired. `expired`: expired without being revoked.",
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
  allowedIps: null,
  ratePerMinute: null,
};

/** Entries of `allowedIps`. The column has the same limit. */
const maxAllowedIps = 50;

/** An address, or a block of addresses in CIDR notation. SQL gets a block. */
const addressBlock = z
  .string()
  .transform((given, context) => {
    const block = given.includes("/") ? given : `${given}/${isIP(given) === 6 ? 128 : 32}`;
    const range = parseRange(block);
    if (range && !(range[0] instanceof ipaddr.IPv6 && range[0].isIPv4MappedAddress())) return block;
    context.addIssue({ code: "custom", message: "must be an address or a block of addresses, such as 192.0.2.0/24" });
    return z.NEVER;
  })
  .meta({ type: "string" });

const allowedIps = z
  .array(addressBlock)
  .min(1, `must hold 1 to ${maxAllowedIps} blocks; null allows any address`)
  .max(maxAllowedIps, `must hold 1 to ${maxAllowedIps} blocks; null allows any address`)
  .nullable()
  .meta({
    description:
      "The key is accepted from these addresses only: single ones, or blocks in CIDR notation such as `192.0.2.0/24`. " +
      "Elsewhere it is refused as an unknown key is. Null: any address. An empty list is refused.",
  });

/** The most is the number of any key. (src/web/rate-limiter.ts) */
const ratePerMinute = z.int("must be an integer from 1 to 300").min(1).max(300).nullable().meta({
  description:
    "Requests per minute of this key, at most the 300 of any key. Null: 300. A change applies within a minute.",
});

export const Key = z
  .object({
    id: uuid,
    name: text(1, 60),
    prefix: z.string().length(12).meta({ description: "The first 12 characters of the key." }),
    scope: keyScope,
    createdBy: uuid.meta({
      description: "The person to whom the key is bound. Calls with the key act as this person.",
    }),
    createdAt: timestamp,
    expiresAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: "Updated at most once a minute." }),
    revokedAt: timestamp.nullable(),
    usable: z.boolean().meta({
      description:
        "Whether calls with the key are accepted. False if the key is revoked or expired, or while its person " +
        "is not an owner or admin.",
    }),
    allowedIps: z.array(z.string()).nullable().meta({
      description: "The blocks of addresses from which the key is accepted, in CIDR notation. Null: any address.",
    }),
    ratePerMinute: z.int().nullable().meta({ description: "Requests per minute of this key. Null: 300." }),
  })
  .meta({
    id: "Key",
    description: "A credential of the organisation.",
    examples: [{ ...exampleKey, allowedIps: ["192.0.2.0/24"] }],
  });

export const expiresInDays = z.int("must be an integer from 1 to 365").min(1).max(365).default(90);

export const NewKey = z
  .object({
    name: name(60),
    scope: keyScope.default("read"),
    expiresInDays,
    allowedIps: allowedIps.default(null),
    ratePerMinute: ratePerMinute.default(null),
  })
  .meta({
    id: "NewKey",
    examples: [{ name: "CI", scope: "write", expiresInDays: 90 }],
  });

export const KeyChanges = changes({ name: name(60), allowedIps, ratePerMinute }).meta({
  id: "KeyChanges",
  examples: [{ ratePerMinute: 120 }],
});

export const KeyRotation = z
  .object({
    overlapHours: z
      .int("must be an integer from 0 to 168")
      .min(0)
      .max(168)
      .default(24)
      .meta({ description: "Hours for which both keys work. The old key never lives longer than before." }),
  })
  .meta({ id: "KeyRotation", examples: [{ overlapHours: 24 }] });

export const KeyShownOnce = Key.extend({
  key: z
    .string()
    .regex(/^bsk_[0-9A-Za-z]{49}$/)
    .meta({ description: "The key. Only this response contains it: store it now." }),
}).meta({ id: "KeyShownOnce", examples: [{ ...exampleKey, allowedIps: ["192.0.2.0/24"], key: secrets.key }] });

export const KeyUsage = z
  .object({
    keyId: uuid.meta({ description: "Id of the key." }),
    days: z
      .array(
        z.object({
          day: z.iso.date().meta({ description: "The day in UTC, by the time of the response." }),
          requests: z.int().meta({ description: "Requests with the key. A batch is one." }),
          refusals: z.int().meta({ description: "Requests of these that were refused: status 400 to 499." }),
        }),
      )
      .meta({ description: "The last 90 days, newest first. Days without requests are missing." }),
  })
  .meta({
    id: "KeyUsage",
    description: "Requests of a key per day.",
    examples: [{ keyId: ids.key, days: [{ day: times.created.slice(0, 10), requests: 1200, refusals: 3 }] }],
  });

export const keyRevision = revisionIgnoring("lastUsedAt", "usable");
