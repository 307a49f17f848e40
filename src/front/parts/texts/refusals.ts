/** What a refusal of the API says to a person. The API's own sentences are for programs. */
import type { Reason } from "../../../contract/reasons.ts";
import type { RefusalCode } from "../../../contract/refusals.ts";

const ofCode: Record<RefusalCode, string> = {
  invalid_request: "Some values are not accepted.",
  unauthenticated: "The session has ended. Open the page again.",
  payment_required: "The organisation needs a trial, a payment or another seat for this.",
  forbidden: "You may not do this.",
  not_found: "It does not exist, or you cannot see it.",
  not_supported: "The service does not know this. Reload the page.",
  conflict: "Its state does not allow this. It may have changed meanwhile.",
  idempotency_in_progress: "This is already under way. Wait a moment.",
  payload_too_large: "The text is too long.",
  idempotency_mismatch: "This was already sent with other values. Reload the page.",
  quota_exceeded: "A limit of the organisation is reached.",
  rate_limited: "These are too many requests. Wait a minute, then try again.",
  internal: "The service has failed. Try again. If it fails again, tell its operator.",
  unavailable: "The service cannot answer at the moment. Try again.",
};

const limit = (of: string) => `The organisation has reached its limit of ${of}.`;

const ofReason: Record<Reason, string> = {
  billing_inactive: "The organisation has no running trial and no payment.",
  bought_seats_taken: "Members and open invitations use all seats that were bought.",
  organisation_suspended: "An operator has suspended the organisation.",
  outside_portal_session: "This session does not reach that.",
  csrf_token_missing: "The page is older than the session. Reload it.",
  personal_organisation: "A personal organisation has no other members.",
  role_above_own: "Only an owner can make a person an owner.",
  member_above_own: "An admin cannot change or remove an owner.",
  own_membership: "You cannot remove yourself.",
  last_owner: "The organisation must keep an owner.",
  member_memory: "Memories of one member cannot be changed here.",
  kind_restricted: "Memories of this kind must not be stored about third parties.",
  not_bot_owner: "Only the owner of the bot can change who sees it.",
  not_own_bot: "You can change and delete only your own bots.",
  not_own_conversation: "Only the person of the conversation can resume its run.",
  owners_only: "Only an owner can export the organisation.",
  not_creator: "Only the creator can do this. Others can pause and delete it.",
  member_exists: "This address belongs to a member.",
  invitation_open: "This address has an open invitation.",
  invitation_accepted: "The invitation was accepted.",
  invitation_revoked: "The invitation was revoked.",
  key_revoked: "The key is revoked.",
  key_rotated: "The key was already rotated.",
  key_expired: "The key has expired.",
  approval_not_pending: "The approval is answered, expired or withdrawn.",
  approval_mailed: "The link was mailed five times today. Look into your mailbox, also among unwanted mails.",
  run_not_blocked: "The run is no longer blocked.",
  concurrency_key_busy: "Another run with this concurrency key has not ended.",
  run_not_ended: "The run has not ended.",
  run_retried_too_often: "The run was retried 20 times already.",
  step_without_result: "A step before has no stored result any more. Begin from the start.",
  endpoint_disabled: "The endpoint or stream is disabled. Enable it first.",
  audit_stream_exists: "The audit log has a stream already.",
  entry_not_sent: "This entry was not sent yet. A stream can go back only.",
  endpoint_not_active: "The endpoint is paused, disabled or deleted.",
  delivery_not_failed: "The delivery has not failed.",
  delivery_reused: "The post was already received with another text.",
  hook_paused: "The hook is paused.",
  memory_of_another_owner: "A memory can only replace a memory of the same bot, or a memory of the organisation.",
  memory_not_current: "The memory has ended, begins later, or was replaced. Reload the page.",
  entry_not_in_checkpoint: "The entry is not in the signed tree yet. Try again after a minute.",
  exports_open: "Ten exports are under way. Finish one, or try again in 10 minutes.",
  export_expired: "The export has expired. Begin again.",
  export_finished: "The export is finished.",
  export_incomplete: "The export has further parts.",
  export_part_changed: "The rows have changed since this part was read. Begin again.",
  revision_changed: "It was changed meanwhile.",
  batch_undone: "Another part was refused, so nothing was changed.",
  limit_keys: limit("live keys"),
  limit_webhooks: limit("endpoints"),
  limit_open_invitations: limit("open invitations"),
  limit_invitations_per_hour: limit("invitations per hour"),
  limit_invitations_to_address: "This address got the most mails that a day allows. Try again tomorrow.",
  limit_seats: limit("members and open invitations"),
  limit_run_starts: "The organisation has started the most runs that an hour allows. Try again later.",
  limit_webhook_starts: "Hooks have started the most runs that an hour allows. Try again later.",
  limit_routines: limit("routines"),
  limit_hooks: limit("hooks"),
};

/** @returns undefined for a code and a reason that this build does not know */
export function refusalText(code: string, reason: string | null): string | undefined {
  const texts: Record<string, string> = { ...ofCode, ...ofReason };
  return texts[reason ?? ""] ?? texts[code];
}
