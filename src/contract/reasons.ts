/**
 * Reasons in the header `X-Botstead-Reason`, for refusal codes with several causes. SQL raises them (errors.refuse); an
 * operation lists the reasons that it can return. (docs/specification/conventions.md#reasons)
 */
import { limitReasons } from "./limits.ts";
import type { RefusalCode } from "./refusals.ts";

export const reasonHeader = "X-Botstead-Reason";

type Refused = Extract<RefusalCode, "payment_required" | "forbidden" | "conflict" | "quota_exceeded">;

const listed = {
  payment_required: {
    billing_inactive: "The organisation has no running trial and no payment.",
    bought_seats_taken: "Members and open invitations use all seats that were bought.",
  },
  forbidden: {
    organisation_suspended: "An operator has suspended the organisation.",
    outside_portal_session: "The portal session does not reach the operation.",
    csrf_token_missing: "A write by the portal's cookie needs the header `X-CSRF-Token`.",
    personal_organisation: "A personal organisation has no members or invitations to manage.",
    role_above_own: "Only an owner can make a person an owner.",
    member_above_own: "An admin cannot change or remove an owner.",
    own_membership: "A person cannot remove themselves.",
    last_owner: "The organisation must keep at least one owner.",
    member_memory: "A memory of scope `member` cannot be changed through the API.",
    kind_restricted: "Memories of this kind must not be stored about third parties.",
    not_bot_owner: "Only the owner of the bot can change its visibility.",
    not_own_bot: "A person with role `member` can change and delete only their own bots.",
    not_own_conversation: "Only the person of the conversation can resume or retry its run.",
    owners_only: "Only an owner can export the organisation.",
    not_creator: "Only the creator can do this; others can pause and delete.",
  },
  conflict: {
    member_exists: "The address belongs to a member.",
    invitation_open: "The address has an open invitation.",
    invitation_accepted: "The invitation was accepted.",
    invitation_revoked: "The invitation was revoked.",
    key_revoked: "The key is revoked.",
    key_rotated: "The key was already rotated.",
    key_expired: "The key has expired.",
    approval_not_pending: "The approval is answered, expired or withdrawn.",
    approval_mailed: "The link was mailed five times within a day.",
    run_not_blocked: "The run is not blocked.",
    concurrency_key_busy: "Another run with the concurrency key has not ended.",
    run_not_ended: "The run has not ended.",
    run_retried_too_often: "The run was retried 20 times, with retries of its retries.",
    step_without_result: "A step before `fromStep` has no stored result.",
    endpoint_disabled: "The endpoint or stream is disabled. Set it to `active` first.",
    endpoint_not_active: "The endpoint is paused, disabled or deleted.",
    delivery_not_failed: "The delivery has not failed.",
    delivery_reused: "The delivery's name or signature was already used for another delivery.",
    hook_paused: "The hook is paused.",
    memory_of_another_owner: "The memory to replace belongs to another scope or bot.",
    memory_not_current: "The memory to replace has ended, begins later, or was replaced.",
    audit_stream_exists: "The audit log has a stream already.",
    entry_not_sent: "The entry was not sent yet. A stream can go back only.",
    entry_not_in_checkpoint: "The entry is in no checkpoint yet. Try again after a minute.",
    exports_open:
      "Ten exports of the organisation are under way. Finish one, or wait: one without a new part for 10 minutes does not count.",
    export_expired: "The export has expired, or began under another version of the service. Begin again.",
    export_finished: "The export is finished.",
    export_incomplete: "The last part was not made yet.",
    export_part_changed:
      "Rows of the part have changed since it was made, and the call is a replay, or a later part was made.",
    revision_changed: "The resource is not at a revision that `If-Match` names. Read it again.",
    batch_undone: "Another operation of the atomic batch was refused.",
  },
  quota_exceeded: limitReasons,
} as const satisfies Record<Refused, Record<string, string>>;

export type Reason = { [Code in Refused]: keyof (typeof listed)[Code] }[Refused];

/** Every reason, with its code and its meaning. */
export const reasons = Object.fromEntries(
  Object.entries(listed).flatMap(([code, words]) =>
    Object.entries(words).map(([word, meaning]) => [word, { code, meaning }]),
  ),
) as Record<Reason, { code: Refused; meaning: string }>;

export function isReason(word: string | null | undefined): word is Reason {
  return typeof word === "string" && Object.hasOwn(reasons, word);
}

/** The reasons of an operation, including suspension of the organisation. */
export function reasonsOf({ keyClass, reasons: own }: { keyClass: string; reasons: Reason[] }): Reason[] {
  return keyClass === "organisation" || keyClass === "hook" ? ["organisation_suspended", ...own] : own;
}
