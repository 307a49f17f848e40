/** The functions that executors and workers call, about the rows of the fixture. */
import type { Side } from "./calls.ts";
import { digestFor, type Fixture } from "./fixture.ts";
import type { Call } from "./scheduler.ts";

/** The run that an executor leased; null if there was none for it. */
const isNothing = (answer: unknown): boolean => JSON.stringify(answer) === '[{"lease_run":null}]';

export async function executorCalls({ organisation, runs, lease, executor }: Fixture, side: Side): Promise<Call[]> {
  const bot = await organisation.row("bot");
  const memory = { scope: "organisation", kind: "fact", subject: "Harbour", value: `Deep, says ${side}.` };
  const call = (name: string, rest: string, ...values: unknown[]): Call => ({
    name: `runner.${name}`,
    role: "runner",
    text: `select runner.${name}($1, $2, $3${rest})`,
    values: [organisation.organisationId, runs.running, lease, ...values],
  });
  return [
    { ...call("lease_run", ""), text: "select runner.lease_run($1)", values: [executor], isPassing: isNothing },
    call("renew", ""),
    call("step", ", 'think', 1, 1, 5"),
    call("keyed_step", ", 'turn 1', 'think', 1, 1, 5, null, $4", JSON.stringify({ side })),
    call("delta", ", 0, 'Nine'"),
    call("search_memories", ", 'How deep is the harbour?'"),
    call("propose_memory", ", $4", memory),
    { ...call("propose_memory", ", $4", { ...memory, scope: "bot" }), name: "runner.propose_memory of the bot" },
    call("start_run", ", $4, 'Look into it.'", bot),
    call("ask_approval", ", 'May I?', 'It is not mine to decide.'"),
    call("finish", ", 'Done.'"),
    call("fail", ", 'refused'"),
    call("block", ", 'Which of the two?'"),
    { ...call("heartbeat", ""), text: "select runner.heartbeat($1, 'test', $2)", values: [executor, ["recall", side]] },
    { ...call("deregister", ""), text: "select runner.deregister($1)", values: [executor] },
  ];
}

export async function workerCalls({
  organisation,
  delivery,
  mail,
  due,
  approval,
  streamLease,
}: Fixture): Promise<Call[]> {
  const { organisationId } = organisation;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const endpointId = await organisation.row("webhook");
  const endpoints = JSON.stringify([{ organisationId, endpointId, wantsMore: true, requeue: true }]);
  const outcome = { organisationId, endpointId, deliveryId: delivery.id, leaseId: delivery.lease, durationMs: 9 };
  const call = (name: string, ...values: unknown[]): Call => ({
    name: `jobs.${name}`,
    role: "worker",
    text: `select jobs.${name}(${values.map((_, index) => `$${index + 1}`).join(", ")})`,
    values,
  });
  const record = (about: string, more: object): Call => ({
    ...call("lease_deliveries", endpoints, JSON.stringify([{ ...outcome, ...more }]), true),
    name: `jobs.lease_deliveries of ${about}`,
  });
  const recordPart = (about: string, more: object): Call => ({
    ...call("record_audit_part", organisationId, streamLease, JSON.stringify(more)),
    name: `jobs.record_audit_part of ${about}`,
  });
  return [
    call("lease_deliveries", endpoints, "[]", true),
    record("a delivery", { statusCode: 200 }),
    record("a failure", { failure: "timeout" }),
    record("an endpoint that is gone", { statusCode: 410 }),
    call("lease_audit_part", organisationId),
    recordPart("a part", { statusCode: 200 }),
    recordPart("an endpoint that is gone", { statusCode: 410 }),
    call("lease_mail", organisationId, mail),
    call("record_mail", organisationId, mail),
    call("link_approval", organisationId, approval, digestFor("other link")),
    call("rebuild_search_vectors", organisationId, "00000000-0000-0000-0000-000000000000"),
    ...withoutArguments.map((name) => call(name)),
    call("fire_routine", ...due, tomorrow),
  ];
}

const withoutArguments = [
  ...[
    "run_maintenance",
    "announce_expiring_keys",
    "cancel_runs_of_bots",
    "delete_memories_of_bots",
    "delete_old_results",
  ],
  ...[
    "delete_old_authorization_codes",
    "delete_old_exports",
    "delete_old_portal_sessions",
    "fail_runs_of_withdrawn_models",
  ],
];

/** Functions of workers that are no calls of this test, by reason. */
export const leftOut: Record<string, string[]> = {
  "They change tables, not rows": ["make_partitions", "drop_partition", "truncate_day"],
  "They write no row of an organisation": [
    ...["add_signing_key", "signing_keys", "register_worker_pool", "cache_executors", "end_overlong_sessions"],
    ...["delete_old_key_days", "delete_old_refused_credentials", "delete_old_request_minutes"],
  ],
  "One checkpoint at a time, of what is committed": [
    ...["begin_checkpoint", "is_checkpoint_due", "append_checkpoint", "store_cosignature", "verify_leaves_again"],
    ...["record_audit_faults", "record_truncations"],
  ],
  "The steps of a deletion take turns with every call (test/deletion)": ["delete_organisations", "delete_log_entries"],
};
