/**
 * Limits of an organisation, in the order of GET /me. sql/limits/limits.sql has their counts and triggers.
 * (docs/specification/organisation-and-me.md#limits)
 */
export type Limit = {
  /** Null: no limit. A name: the maximum of that limit. */
  default: number | string | null;
  /** The example of `used`. */
  used: number;
  /** For the field of GET /me, if its name is not enough. */
  description?: string;
  /** What the refusal names: "The organisation has reached its limit of …". */
  counts?: string;
  /** The reason in `X-Botstead-Reason`, and the operations that the limit can refuse. */
  reason?: string;
  refuses?: readonly string[];
};

export const limits = {
  liveKeys: {
    default: 20,
    used: 3,
    counts: "live keys",
    reason: "limit_keys",
    refuses: ["create_key", "rotate_key", "create_owner_key"],
  },
  liveWebhooks: {
    default: 10,
    used: 1,
    counts: "webhook endpoints",
    reason: "limit_webhooks",
    refuses: ["create_webhook"],
  },
  openInvitations: {
    default: 50,
    used: 2,
    counts: "open invitations",
    reason: "limit_open_invitations",
    refuses: ["create_invitation", "resend_invitation"],
  },
  invitationsPerHour: {
    default: "seats",
    used: 1,
    description: "Invitation mails in the last hour. The limit defaults to that of `seats`.",
    counts: "invitation mails per hour",
    reason: "limit_invitations_per_hour",
    refuses: ["create_invitation", "resend_invitation"],
  },
  invitationsPerAddressPerDay: {
    default: 5,
    used: 1,
    description:
      "Invitation mails to one address in the last 24 hours. `used` is the count of the address with the most.",
    counts: "mails to this address per day",
    reason: "limit_invitations_to_address",
    refuses: ["create_invitation", "resend_invitation"],
  },
  seats: {
    default: 200,
    used: 14,
    description: "Members plus open invitations.",
    counts: "members plus open invitations",
    reason: "limit_seats",
    refuses: ["create_invitation", "resend_invitation"],
  },
  runStartsPerHour: {
    default: 120,
    used: 4,
    description: "Runs started by people and scripts in the last hour.",
    counts: "run starts per hour",
    reason: "limit_run_starts",
    refuses: ["start_run"],
  },
  routineStartsPerHour: { default: 120, used: 1, description: "Runs started by routines in the last hour." },
  webhookStartsPerHour: {
    default: 120,
    used: 0,
    description: "Runs started by hooks in the last hour.",
    counts: "run starts by hooks per hour",
    reason: "limit_webhook_starts",
    refuses: ["receive_hook"],
  },
  liveRoutines: {
    default: 50,
    used: 2,
    counts: "routines",
    reason: "limit_routines",
    refuses: ["create_routine"],
  },
  liveHooks: { default: 10, used: 1, counts: "hooks", reason: "limit_hooks", refuses: ["create_hook"] },
  monthlySpendMicroCents: { default: null, used: 0 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
export type LimitReason = Extract<(typeof limits)[LimitName], { reason: string }>["reason"];

const all = Object.entries<Limit>(limits);

/** A value for each limit, by name. */
export const eachLimit = <Value>(make: (limit: Limit) => Value) =>
  Object.fromEntries(all.map(([name, limit]) => [name, make(limit)])) as Record<LimitName, Value>;

export const defaultOf = (limit: Limit): number | null =>
  typeof limit.default === "string" ? limits[limit.default as "seats"].default : limit.default;

/** Reasons with their meaning. */
export const limitReasons = Object.fromEntries(
  all.flatMap(([name, { default: maximum, counts, reason }]) => {
    const usually = typeof maximum === "string" ? `by default the limit of \`${maximum}\`` : `${maximum} by default`;
    return reason ? [[reason, `The organisation has reached its limit of ${counts} (\`${name}\`, ${usually}).`]] : [];
  }),
) as Record<LimitReason, string>;

/** The reasons with which limits refuse an operation. */
export const limitReasonsOf = (operation: string): LimitReason[] =>
  all.flatMap(([, { reason, refuses }]) => (refuses?.includes(operation) ? [reason as LimitReason] : []));
