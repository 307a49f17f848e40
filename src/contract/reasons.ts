/**
 * The reasons of refusals in the header `X-Botstead-Reason`, for codes with several causes. SQL raises them (caller.refuse);
 * an operation lists the reasons that it can return. (docs/specification/conventions.md#reasons)
 */
import type { RefusalCode } from "./refusals.ts";

export const reasonHeader = "X-Botstead-Reason";

type Refused = Extract<RefusalCode, "payment_required" | "forbidden" | "conflict" | "quota_exceeded">;

const listed = {
  payment_required: {
    billing_inactive: "The organisation is on no trial and pays for nothing.",
    bought_seats_taken: "All seats that were bought are taken by members and open invitations.",
  },
  forbidden: {
    organisation_suspended: "An operator has suspended the organisation.",
    personal_organisation: "A personal organisation has no members or invitations to manage.",
    role_above_own: "Only an owner makes somebody an owner.",
    member_above_own: "An admin does not change or remove an owner.",
    own_membership: "Nobody removes themself.",
    last_owner: "The organisation keeps one owner.",
    member_memory: "A claim of scope `member` belongs to that member.",
    kind_restricted: "Claims of this kind may not be held about third parties.",
    not_bot_owner: "Only the bot's owner changes who sees it.",
    not_own_conversation: "Only the person of the conversation resumes its run.",
    not_creator: "Only the person who made it changes or resumes it.",
  },
  conflict: {
    member_exists: "The address belongs to a member.",
    invitation_open: "The address has an open invitation.",
    invitation_accepted: "The invitation was accepted.",
    invitation_revoked: "The invitation was revoked.",
    key_revoked: "The key is revoked.",
    key_rotated: "The key was rotated before.",
    key_expired: "The key has expired.",
    run_not_blocked: "The run is not blocked.",
    endpoint_disabled: "The endpoint is disabled: make it active first.",
    endpoint_not_active: "The endpoint is paused, disabled or deleted.",
    delivery_not_failed: "The delivery has not failed.",
    delivery_reused: "The name of the delivery, or its signature, was used for another one.",
    hook_paused: "The hook is paused.",
    batch_undone: "Another operation of the atomic batch was refused.",
  },
  quota_exceeded: {
    limit_keys: "The limit of live keys (`liveKeys` of `GET /me`) is reached.",
    limit_webhooks: "The limit of webhook endpoints (`liveWebhooks`) is reached.",
    limit_open_invitations: "The limit of open invitations (`openInvitations`) is reached.",
    limit_seats: "The limit of members and open invitations (`seats`) is reached.",
    limit_invitations_per_hour: "The limit of invitation mails in an hour (`invitationsPerHour`) is reached.",
    limit_invitations_to_address:
      "The limit of mails to this address in a day (`invitationsPerAddressPerDay`) is reached.",
    limit_run_starts: "The limit of run starts in an hour (`runStartsPerHour`) is reached.",
    limit_webhook_starts: "The limit of runs that hooks start in an hour (`webhookStartsPerHour`) is reached.",
    limit_routines: "The limit of routines (`liveRoutines`) is reached.",
    limit_hooks: "The limit of hooks (`liveHooks`) is reached.",
  },
} as const satisfies Record<Refused, Record<string, string>>;

export type Reason = { [Code in Refused]: keyof (typeof listed)[Code] }[Refused];

/** Every reason, with the code that it comes with and what it says to people. */
export const reasons = Object.fromEntries(
  Object.entries(listed).flatMap(([code, words]) =>
    Object.entries(words).map(([word, meaning]) => [word, { code, meaning }]),
  ),
) as Record<Reason, { code: Refused; meaning: string }>;

export function isReason(word: string | null | undefined): word is Reason {
  return typeof word === "string" && Object.hasOwn(reasons, word);
}

/** The reasons of an operation, its organisation's suspension among them. */
export function reasonsOf({ keyClass, reasons: own }: { keyClass: string; reasons: Reason[] }): Reason[] {
  return keyClass === "organisation" || keyClass === "hook" ? ["organisation_suspended", ...own] : own;
}
