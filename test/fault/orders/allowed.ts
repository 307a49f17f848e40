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
const checkingAgain =
  /^(create_invitation|resend_invitation|create_portal_session|start_run|retry_run|change_member|remove_member)\b/;

/**
 * A call that was authenticated before a credential ends is performed to its end, as if it had come earlier. So the outcome may
 * also equal the order in which it does nothing but authenticate before the other call.
 */
export const mayPrecedeAuthority = (call: Call, other: Call): boolean =>
  ending.has(other.name) && call.role === "server" && !checkingAgain.test(call.name);

type Explained = {
  calls: RegExp;
  /** Matches every line that may differ. */
  lines: RegExp;
  /** What may differ in a line, and the lines that may not be missing; without it, whole lines may be missing. */
  part?: RegExp;
  kept?: RegExp;
};

const explained: Explained[] = [
  // An event locks no endpoint: each of a call's events is delivered to the endpoints of its own moment. A delivery to one that is
  // deleted meanwhile is ended by the next lease (jobs.fail_pending_of_ended). The event itself is there, named by other deliveries.
  {
    calls: /\b(create|update|delete)_webhook\b/,
    lines: /^(wanted|is {4}) [+-] (app\.(deliveries|events)|graphile_worker\._private_jobs) /,
    part: /"id":"<\w+>"/,
    kept: /^(wanted|is {4}) [+-] app\.events /,
  },
  // A batch may end with a list of memories. The list is in the order of ids, which is not the order of commits.
  { calls: /^batch stopped\b/, lines: /^(wanted|is {4}) answer 1: / },
  // One statement deletes the hooks of a bot, in any order. An export lists their entries in the order of the log.
  { calls: /^make_export_part stopped, delete_bot$/, lines: /^(wanted|is {4}) answer 1: / },
  // A run that ends while the deletion waits for it counts as left. The job finds none, and clears the mark (jobs.cancel_runs_of_bots).
  { calls: /\bdelete_bot\b/, lines: /^(wanted|is {4}) \+ app\.bots /, part: /"has_runs_left":(true|false)/ },
  // A job looks for the next part by the time at which its transaction began. A stream that changes after that time is not due for it.
  // The change has queued a job, which finds the part (triggers.tg_audit_streams__queue_job).
  {
    calls: /^jobs\.lease_audit_part stopped, (rotate_audit_stream_secret|update_audit_stream)\b/,
    lines: /^((wanted|is {4}) \+ app\.audit_streams |wanted answer 1: |is {4} answer 1: \[\]$)/,
  },
];

export const isExplained = ({ pair, lines }: Finding): boolean =>
  lines.length > 0 &&
  explained.some(
    (each) =>
      each.calls.test(pair) &&
      lines.every((line) => each.lines.test(line)) &&
      (!each.part ||
        isEqualBut(
          lines.filter((line) => each.kept?.test(line) ?? true),
          each.part,
        )),
  );

function isEqualBut(lines: string[], part: RegExp): boolean {
  const of = (sign: string) =>
    lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(sign.length).replace(part, "")] : []));
  return of("wanted ").toSorted().join("\n") === of("is     ").toSorted().join("\n");
}
