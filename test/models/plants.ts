/** Faults to plant in the product, by model. Each changes a rule that the model states. */
import { inFunction } from "../support/planted.ts";

type Plant = { function: string; sql: string };
const plant = (name: string, ...changes: [from: string, to: string][]): Plant => ({
  function: name,
  sql: inFunction(name, ...changes),
});

export const plants: Record<string, Record<string, Plant>> = {
  keys: {
    "a key is rotated twice": plant("api.rotate_key", ["or old.rotated_at is not null or", "or"]),
    "an overlap is not kept": plant("api.rotate_key", ["hours => (input ->> 'overlapHours')::integer", "hours => 0"]),
    "a rotated key has another scope": plant("api.rotate_key", ["old.scope,\n    caller", "'read',\n    caller"]),
  },
  members: {
    "the last owner leaves": plant("triggers.tg_memberships__keep_an_owner", ["other.role = 'owner' and ", ""]),
    "an admin makes an owner": plant("api.change_member", ["> caller.role()", "> 'owner'"]),
  },
  invitations: {
    "an expired invitation is accepted": plant("api.accept_invitation", ["<> 'open'", "not in ('open', 'expired')"]),
    "an accepted invitation is revoked": plant("api.revoke_invitation", ["and accepted_at is null;", ";"]),
    "a link is sent without payment": plant("api_private.lock_invitation_to_resend", [
      "perform limits.require_payment();",
      "",
    ]),
  },
  endpoints: {
    "a test ends an endpoint": plant("jobs.end_attempts", [
      "outcome.gone and delivery.event <> 'webhook.test', delivery.state",
      "outcome.gone, delivery.state",
    ]),
    "a disabled endpoint is paused": plant("api.update_webhook", ["before = 'disabled' and input", "false and input"]),
    "a delivery leaves the count of failures": plant("jobs.rate_endpoints", [
      "case when tally.delivered then 0 else endpoint.consecutive_failures end",
      "endpoint.consecutive_failures",
    ]),
  },
  runs: {
    "a fourth executor may be lost": plant("runner.release_expired", [
      "run.executors_lost >= 2",
      "run.executors_lost >= 3",
    ]),
    "an ended lease works": plant("runner.leased_run", ["and working.lease_until > clock_timestamp()", ""]),
    "a run is retried before its end": plant("runs.require_retryable", ["not rows.is_end(retried.state)", "false"]),
    "the newest run goes first": plant("triggers.next_turn", [
      "order by greatest(run.start_at, run.created_at), run.id",
      "order by greatest(run.start_at, run.created_at) desc, run.id desc",
    ]),
  },
};
