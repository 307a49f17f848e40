/** Races that were mended before, each as it was: the text that the mending added is removed again. */

export type PlantedRace = {
  title: string;
  /** The function that was mended, and the text of its body with its replacement. */
  changes: { in: string; from: string | RegExp; to: string }[];
  /** The calls that meet, by name. The first is stopped. */
  stopped: string;
  beside: string;
  /** Whether the second call is the same request as the first, with its Idempotency-Key. */
  isSameRequest?: boolean;
};

const plainDelete = "  delete from app.approvals approval where approval.id = any (proposals);\n";
const noLock = { from: "perform api_private.lock_organisation();", to: "" };

export const plantedRaces: PlantedRace[] = [
  {
    title: "a limit is counted without a lock",
    changes: [{ in: "limits.enforce_live_keys", from: /:= limits.lock_organisation\(.*\)/, to: "" }],
    stopped: "create_key",
    beside: "create_key",
  },
  {
    title: "two requests with one Idempotency-Key run at once",
    changes: [
      { in: "api_private.find_response", from: /if not pg_try_advisory_xact_lock\(.*\) then/, to: "if false then" },
    ],
    stopped: "create_memory",
    beside: "create_memory",
    isSameRequest: true,
  },
  {
    title: "two owners demote each other",
    changes: [
      { in: "api_private.lock_members", from: "for no key update", to: "" },
      {
        in: "triggers.tg_memberships__keep_an_owner",
        from: "perform limits.lock_organisation(old.organisation_id);",
        to: "",
      },
    ],
    stopped: "change_member",
    beside: "change_member",
  },
  {
    title: "a bot gets a routine while it is deleted",
    changes: [
      { in: "triggers.refuse_for_deleted_bot", from: /:= limits.lock_organisation\(.*\)/, to: "" },
      { in: "limits.enforce_live_routines", from: /:= limits.lock_organisation\(.*\)/, to: "" },
    ],
    stopped: "create_routine",
    beside: "delete_bot",
  },
  {
    title: "memories of a bot are counted before its runs are cancelled",
    changes: [
      {
        in: "triggers.tg_bots__end_work",
        from: /^begin\n([\s\S]*?)( {2}select count\(\*\) into memory_count[\s\S]*?memory_or_change;\n)/m,
        to: "begin\n$2$1",
      },
    ],
    stopped: "runner.propose_memory of the bot",
    beside: "delete_bot",
  },
  {
    title: "an erasure does not wait for an approval that is being answered",
    changes: [
      {
        in: "erasure.erase",
        from: /( {2}proposals := .*\n)([\s\S]*?)( {2}answers := )/,
        to: "$2$1$3",
      },
    ],
    stopped: "answer_approval",
    beside: "erase_memories",
  },
  {
    title: "a run that starts another locks the organisation last",
    changes: [{ in: "runner.start_run", from: "perform limits.lock_organisation(organisation);", to: "" }],
    stopped: "runner.start_run",
    beside: "delete_bot",
  },
  {
    title: "the first run of a conversation locks the organisation last",
    changes: [{ in: "api.start_run", ...noLock }],
    stopped: "start_run of newcomer",
    beside: "receive_hook of newcomer",
  },
  {
    title: "an invitation that is sent again is locked before its organisation",
    changes: [{ in: "api_private.lock_invitation_to_resend", ...noLock }],
    stopped: "resend_invitation",
    beside: "remove_member",
  },
  {
    title: "a person invites while being removed",
    changes: [{ in: "api.create_invitation", from: "perform api_private.require_current_membership();", to: "" }],
    stopped: "create_invitation",
    beside: "remove_member",
  },
  {
    title: "a demoted person makes a portal session meanwhile",
    changes: [
      { in: "api.create_portal_session", ...noLock },
      { in: "api.create_portal_session", from: "perform api_private.require_current_membership();", to: "" },
    ],
    stopped: "create_portal_session",
    beside: "change_member",
  },
  {
    title: "an outcome does not lock its endpoint",
    changes: [{ in: "jobs.lock_endpoints", from: "for no key update", to: "" }],
    stopped: "jobs.lease_deliveries of a failure",
    beside: "delete_webhook",
  },
  {
    title: "a post to a hook does not wait for an equal one",
    changes: [
      { in: "api_private.lock_hook", from: /perform limits\.lock_organisation.*/, to: "" },
      { in: "api_private.lock_hook", from: "for no key update", to: "" },
    ],
    stopped: "receive_hook",
    beside: "receive_hook",
  },
  {
    title: "an approval is mailed again while it is answered",
    changes: [
      { in: "api_private.mail_approval_again", from: /rows.approval_state\(.*\) <> 'pending'/, to: "false" },
      {
        in: "api.resend_approval",
        from: "perform api_private",
        to: "if approval.state <> 'pending' then perform errors.refuse('conflict'); end if; perform api_private",
      },
    ],
    stopped: "resend_approval",
    beside: "answer_approval",
  },
  {
    title: "two erasures count one proposal",
    changes: [{ in: "erasure.erase_proposals", from: / {2}with gone as \([\s\S]*from gone;\n/, to: plainDelete }],
    stopped: "erase_memories",
    beside: "erase_memories",
  },
  {
    title: "a person is demoted while a platform key makes an owner key for them",
    changes: [{ in: "api.create_owner_key", from: /perform limits\.lock_organisation.*/, to: "" }],
    stopped: "create_owner_key",
    beside: "change_member",
  },
  {
    title: "two calls lock a bot and an endpoint in opposite orders",
    changes: [
      {
        in: "api.update_bot",
        from: "  return api.get_bot(input);",
        to: "  perform from app.webhook_endpoints for no key update;\n  return api.get_bot(input);",
      },
      {
        in: "api.update_webhook",
        from: "  return api.get_webhook(input);",
        to: "  perform from app.bots for no key update;\n  return api.get_webhook(input);",
      },
    ],
    stopped: "update_bot",
    beside: "update_webhook",
  },
];
