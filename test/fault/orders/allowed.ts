/**
 * Outcomes of two calls that are allowed, although no serial order has them. Each is counted apart.
 * Transactions run at READ COMMITTED, and a call is authenticated by its first statement.
 */
import type { Finding } from "./pairs.ts";
import type { Call } from "./scheduler.ts";

/** Calls that end a credential of the fixture, or what a credential may do. */
const ending = new Set([
  ...["remove_member", "change_member", "revoke_own_key", "revoke_portal_session", "end_own_portal_session"],
  ...["resend_invitation", "revoke_invitation", "delete_hook", "rotate_hook_secret", "erase_memories"],
]);

/** Calls that check again, under the lock of the organisation, what their person may do. */
const checkingAgain = /^(create_invitation|resend_invitation|create_portal_session|start_run)\b/;

/**
 * A call that was authenticated before a credential ends is performed to its end, as if it had come earlier. So the outcome may
 * also equal the order in which it does nothing but authenticate before the other call.
 */
export const mayPrecedeAuthority = (call: Call, other: Call): boolean =>
  ending.has(other.name) && call.role === "server" && !checkingAgain.test(call.name);

type Explained = { calls: RegExp; lines: RegExp };

const explained: Explained[] = [
  // An event locks no endpoint. Its delivery to one that is deleted meanwhile is ended by the next lease (jobs.fail_pending_of_ended).
  {
    calls: /\bdelete_webhook\b/,
    lines: /^(wanted|is {4}) [+-] (app\.(deliveries|events)|graphile_worker\._private_jobs) /,
  },
];

export const isExplained = ({ pair, lines }: Finding): boolean =>
  lines.length > 0 && explained.some((each) => each.calls.test(pair) && lines.every((line) => each.lines.test(line)));
