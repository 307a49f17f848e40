/*
 * Which tables the trail tells of, and what of each row. Whoever adds a table of tenants, or a column to one, says here
 * what becomes of it: a test fails until then. (docs/decisions.md, "The trail".)
 *
 *   shown    columns whose values are kept: ids, states, roles, limits, times. No word that a person has written, no
 *            name, address or URL, no secret and no digest of one.
 *   named    columns of which it is kept that they changed, and not to what.
 *   ignored  columns that the machine writes beside: a change of these alone makes no entry, and enters no function.
 *   creation, change  where not every one counts: which do, as a condition over new, or old and new.
 */
create view audit.trailed_tables as
select name, resource, subject, shown::text[], named::text[], ignored::text[], creation, change
from (values
  ('organisations', 'organisation', 'id',
    '{kind, billing_state, trial_ends_at, seats_bought, live_key_ceiling, live_endpoint_ceiling, hourly_run_ceiling,
      hourly_routine_ceiling, hourly_webhook_ceiling, open_invitation_ceiling, seat_ceiling, routine_ceiling, hook_ceiling,
      monthly_spend_limit_micro_cents, language, suspended_at}',
    '{name}', '{}', null, null),
  ('memberships', 'member', 'person_id', '{role}', '{}', '{person_id}', null, null),
  ('invitations', 'invitation', 'id',
    '{role, invited_by, expires_at, accepted_at, accepted_by, revoked_at}', '{email, token_digest}', '{email_key}', null, null),
  ('api_keys', 'key', 'id',
    '{scope, created_by, expires_at, revoked_at, rotated_at}', '{name, prefix, digest}',
    '{suspended_at}', -- with its organisation, which is told of
    null, null),
  ('bots', 'bot', 'id',
    '{visibility, direct_conversation, owner_id, deleted_at}', '{name, instructions, model}', '{has_runs_left, has_claims_left}', null, null),
  ('memories', 'memory', 'id',
    '{scope, bot_id, member_id, subject_kind, confidence, valid_to, provenance, lawful_basis, created_by, run_id}',
    '{kind, subject, value, source}', '{search, subject_key}', null, null),
  ('runs', 'run', 'id',
    '{bot_id, conversation_id, person_id, routine_id, parent_run_id, trigger, state, taint, error, budget_steps,
      budget_micro_cents}',
    '{budget_working}',
    '{steps, spend_micro_cents, working, working_since, lease_id, lease_until, executors_lost, finished_at, paused_until,
      firing_at, traceparent}',
    null,
    -- That an executor takes it is in app.run_events, as every state is.
    'new.state <> ''running'' and old.state <> new.state or old.taint <> new.taint
      or (old.budget_steps, old.budget_micro_cents, old.budget_working)
        is distinct from (new.budget_steps, new.budget_micro_cents, new.budget_working)'),
  ('approvals', 'approval', 'id',
    '{kind, state, run_id, bot_id, conversation_id, person_id, expires_at, answered_at}',
    '{question, reason, proposal}', '{token_digest}', null, null),
  ('routines', 'routine', 'id',
    '{bot_id, schedule, time_zone, state, pause_reason, created_by, deleted_at}', '{name, message}',
    '{next_firing_at, last_fired_at, last_run_id, last_skipped_at, last_skip_reason}', null, null),
  ('hooks', 'hook', 'id',
    '{bot_id, state, pause_reason, created_by, deleted_at}', '{name, secret_sealed}',
    '{secret_digest, last_received_at, last_run_id}', null, null),
  ('webhook_endpoints', 'webhook', 'id',
    '{events, state, disabled_reason, disabled_at, deleted_at}', '{url, description, secret_sealed}',
    '{consecutive_failures, last_delivery_at, troubled_since}', null, null),
  ('deliveries', 'delivery', 'id',
    '{endpoint_id, event_id, event, state}', '{}',
    '{attempts, attempts_before_round, max_attempts, trigger, claim_id, claimed_until, last_status_code, last_failure,
      last_attempt_at, next_attempt_at, delivered_at}',
    'pg_trigger_depth() = 0', -- tests and recoveries; what is announced is made by triggers and follows from its event
    'old.state = ''failed'' and new.state = ''pending'''),
  ('erasures', 'erasure', 'id', '{erased_by, key_id, subject_kind, memories, history, proposals, complete}',
    '{operator}', '{erased_at}', null, null),
  ('third_party_restrictions', 'restriction', null, '{kind}', '{}', '{}',
    'pg_trigger_depth() = 0', -- not the nine that every organisation begins with
    null)
) listed (name, resource, subject, shown, named, ignored, creation, change);

create view audit.untrailed_tables (name, because) as
values
  ('request_counts', 'What is used of this minute''s allowances: a count, begun anew every minute.'),
  ('api_key_uses', 'When a key was last used: noted once a minute, and no act of anybody beyond the request itself.'),
  ('conversations', 'One of a person with a bot comes with the first run in it, which is told of; the rest is the queue''s own marks.'),
  ('messages', 'Only ever added to, with a run that is told of; all of it is words.'),
  ('steps', 'Only ever added to, by executors, in volume; told by app.run_events.'),
  ('run_events', 'A log of its own, numbered without a gap.'),
  ('monthly_usage', 'A sum over steps.'),
  ('memory_history', 'A log of its own, which erasure must be able to take from.'),
  ('third_party_restriction_changes', 'A log of its own, of what app.third_party_restrictions is told of for.'),
  ('operator_acts', 'A log of its own; what an act changes is told of, with its operator and reason.'),
  ('events', 'Only ever added to, by triggers, with what is told of; or by a test, whose delivery is told of.'),
  ('delivery_attempts', 'A log of its own, in volume: what the worker saw.'),
  ('idempotency_records', 'Answers that are kept for a day, each beside the write it belongs to.'),
  ('hook_receipts', 'Digests that are kept for a day, each beside the run it has started.'),
  ('mails', 'A queue: what was sent is kept with when, what was called back is not. What is mailed about is told of.'),
  ('request_minutes', 'Counts by the minute.'),
  ('audit_trail', 'The trail itself.'),
  ('audit_heads', 'The trail''s own.'),
  ('audit_cuts', 'The trail''s own.'),
  ('audit_drafts', 'The trail''s own.');
comment on view audit.untrailed_tables is 'Tables of tenants that the trail does not tell of, and why.';
comment on view audit.trailed_tables is 'Tables of tenants that the trail tells of, and what of each row.';
