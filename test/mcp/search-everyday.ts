/**
 * Questions as people ask them, in two halves, written before their author read the search terms of the contract. Words that
 * operations share were then added for things and verbs, and words of operations with the first half in view. Before, the search
 * answered 10 and 5 of 15. No term was chosen for the second half. (docs/decisions/0034-contract-clients-and-mcp.md)
 */
import type { Question } from "./search-questions.ts";

export const everyday: Question[] = [
  ["the reminder comes an hour too early, move it", "update_routine"],
  ["nobody got back to the bot, it is still hanging there", "list_approvals", "get_approval", "resend_approval"],
  ["Zapier should hear about each new answer", "create_webhook"],
  ["the contractor is done here, lock her out", "remove_member", "revoke_key"],
  ["how come I am not allowed to do this", "get_me", "get_member"],
  ["make a second helper with the same instructions", "create_bot"],
  ["write down that our office is on the third floor", "create_memory"],
  ["are our callbacks getting through", "get_webhook_stats", "list_deliveries"],
  ["pick up where it left off", "resume_run", "retry_run"],
  ["I asked the wrong thing, take it back", "cancel_run"],
  ["what was sent to our server exactly", "get_delivery", "list_deliveries"],
  ["the guest link should stop working", "revoke_portal_session"],
  ["ring my bot whenever a new ticket is opened in Jira", "create_hook"],
  ["did anybody touch our api keys over the weekend", "list_audit", "list_keys"],
  ["that is not true any more, our prices went up", "update_memory"],
];

export const everydayHeldOut: Question[] = [
  ["has Tom said yes to joining yet", "list_invitations", "get_invitation"],
  ["our nightly job ran twice, look at what happened", "list_runs", "get_run", "get_routine", "list_routines"],
  ["swap the brain of the bot for a cheaper one", "update_bot", "list_models"],
  ["somebody turned our listener off, switch it back on", "update_webhook"],
  ["I never want to hear from that Jenkins integration again", "delete_hook", "update_hook"],
  ["how much of our quota is left", "get_me", "get_own_organisation"],
  ["Lisa only needs to look at things, not change them", "change_member", "create_invitation"],
  ["the key for the warehouse scanner has to last until summer", "create_key", "rotate_key"],
  ["what is it doing at this moment, let me follow along", "get_run", "list_run_steps"],
  ["what does the assistant believe about our refund policy", "list_memories"],
  ["throw out the old calendar jobs", "delete_routine"],
  ["send the same thing to our backup server too", "create_webhook"],
  ["does anybody still use the old scanner key", "get_key_usage", "list_keys"],
  ["which apps are posting into our account", "list_hooks", "list_keys"],
  ["what would the payload look like, fire one at me", "test_webhook"],
];
