/*
 * The tables and columns that the audit log covers. A new table of tenants must be listed here: a test fails until
 * then. (docs/decisions/0033-audit-log.md)
 *
 * - shown: columns whose values are recorded: ids, states, roles, limits, times. No text by people, no name, address or
 * URL, no secret or digest of one.
 * - ignored: technical columns. A change of these alone makes no entry and calls no function.
 * - digested: columns whose values are recorded as one digest, `contentDigest`. One of them must be a secret or the digest of one:
 * without it, a digest of a name or an address could be guessed.
 * - content: SQL for that digest, with % for the row. Null without such columns.
 * - named: all other columns. Their changes are recorded without values.
 * - creation, change: conditions over new, or old and new, for tables where only some inserts or updates count.
 */
create function audit.content_digest(content text[]) returns text
language sql immutable
return encode(sha256(convert_to(array_to_json(content)::text, 'UTF8')), 'hex');
comment on function audit.content_digest is 'SHA-256 of values that an entry of the audit log does not show, in hexadecimal.';

create view audit.logged_tables as
select name, resource, subject, shown::text[], digested::text[], ignored::text[], creation, change,
  array(
    select attribute.attname::text
    from pg_catalog.pg_attribute attribute
    join pg_catalog.pg_class class on class.oid = attribute.attrelid and class.relname = listed.name
    join pg_catalog.pg_namespace schema on schema.oid = class.relnamespace and schema.nspname = 'app'
    where attribute.attnum > 0 and not attribute.attisdropped
      and attribute.attname <> all ('{organisation_id, id, created_at}' || listed.shown::text[] || listed.ignored::text[])
  ) as named,
  (
    select format('audit.content_digest(array[%s])', string_agg(
      format(
        case attribute.atttypid when 'bytea'::regtype then $$encode(%%.%I, 'hex')$$ when 'timestamptz'::regtype then 'rows.time(%%.%I)' else '%%.%I::text' end,
        attribute.attname
      ), ', ' order by attribute.attnum
    ))
    from pg_catalog.pg_attribute attribute
    where attribute.attrelid = ('app.' || listed.name)::regclass and attribute.attname = any (listed.digested::text[])
    having count(*) > 0
  ) as content
from (values
  ('organisations', 'organisation', 'id',
    '{kind, billing_state, trial_ends_at, seats_bought, language, suspended_at, deletion_at}', '{}', '{}', null, null),
  ('organisation_limits', 'limit', null, '{name, maximum}', '{}', '{}', null, null),
  ('memberships', 'member', 'person_id', '{role}', '{}', '{person_id}', null, null),
  ('invitations', 'invitation', 'id',
    '{role, invited_by, expires_at, accepted_at, accepted_by, revoked_at}', '{email, token_digest}', '{email_key}', null, null),
  ('api_keys', 'key', 'id',
    '{scope, created_by, expires_at, revoked_at, rotated_at}', '{prefix, digest, allowed_ips, rate_per_minute}',
    '{suspended_at, announced_expiry}', -- the first follows its organisation, whose change is recorded
    null, null),
  ('portal_sessions', 'portal_session', 'id',
    '{person_id, created_by, sections, read_only, expires_at, revoked_at}',
    '{operator, key_id, operator_token_id, return_url, link_digest, link_expires_at}',
    '{opened_at, link_digest, link_expires_at, session_digest}', null, null), -- a link is opened at once
  ('bots', 'bot', 'id',
    '{visibility, direct_conversation, owner_id, deleted_at}', '{}', '{has_runs_left, has_memories_left}', null, null),
  ('memories', 'memory', 'id',
    '{scope, bot_id, member_id, subject_kind, confidence, valid_from, valid_to, provenance, lawful_basis, created_by, run_id,
      supersedes, superseded_by}', '{}',
    '{search_vector, subject_key, contested}', null, null),
  ('runs', 'run', 'id',
    '{bot_id, conversation_id, person_id, routine_id, parent_run_id, retry_of, trigger, state, taint, error,
      budget_steps, budget_micro_cents, start_at}', '{}',
    '{steps, spend_micro_cents, working, working_since, lease_id, lease_until, executors_lost, finished_at, paused_until,
      firing_at, traceparent, postponed, concurrency_key_digest, settles_key_at}',
    null,
    -- Leases and all states are in app.run_events.
    'new.state <> ''running'' and old.state <> new.state or old.taint <> new.taint
      or (old.budget_steps, old.budget_micro_cents, old.budget_working)
        is distinct from (new.budget_steps, new.budget_micro_cents, new.budget_working)'),
  ('approvals', 'approval', 'id',
    '{kind, state, run_id, bot_id, conversation_id, person_id, expires_at, answered_at}', '{token_digest}',
    '{token_digest}', null, null),
  ('routines', 'routine', 'id',
    '{bot_id, schedule, time_zone, state, pause_reason, created_by, deleted_at}', '{}',
    '{next_firing_at, awaits_executor_until, last_fired_at, last_run_id, last_skipped_at, last_skip_reason}', null, null),
  ('hooks', 'hook', 'id',
    '{bot_id, state, pause_reason, created_by, deleted_at}', '{secret_sealed, secret_digest}',
    '{secret_digest, unreadable_since, last_received_at, last_run_id}', null, null),
  ('webhook_endpoints', 'webhook', 'id',
    '{events, state, disabled_reason, disabled_at, deleted_at}', '{url, bot_ids, run_states, order_per_run, secret_sealed}',
    '{consecutive_failures, last_delivery_at, degraded_since, unreadable_since}', null, null),
  ('audit_streams', 'audit_stream', 'id',
    '{format, state, disabled_reason, disabled_at}', '{url, secret_sealed}',
    '{after_entry_id, after_sequence, checkpoint, part_id, part_first_sequence, part_entry_id, part_sequence, part_checkpoint, attempts,
      consecutive_failures, degraded_since, unreadable_since, last_status_code, last_failure, last_delivery_at, next_attempt_at, lease_id, lease_until}',
    null, null), -- a part that was sent makes no entry, which would be sent too
  ('deliveries', 'delivery', 'id',
    '{endpoint_id, event_id, event, state}', '{}',
    '{attempts, attempts_before_round, max_attempts, trigger, lease_id, lease_until, last_status_code, last_failure,
      last_attempt_at, next_attempt_at, delivered_at}',
    'pg_trigger_depth() = 0', -- tests and recoveries; deliveries of events are made by triggers and follow from the event
    'old.state = ''failed'' and new.state = ''pending'''),
  ('erasures', 'erasure', 'id', '{erased_by, key_id, subject_kind, memories, history, proposals, answers, complete}', '{}',
    '{erased_at}', null, null),
  ('exports', 'export', 'id', '{person_id, finished_at, manifest_hash}', '{}', '{tables_hash, expires_at, manifest}', null, null),
  ('third_party_restrictions', 'restriction', null, '{kind}', '{}', '{}',
    'pg_trigger_depth() = 0', -- without the nine restrictions that every organisation starts with
    null),
  -- In the chain of the service, under the nil id.
  ('service_settings', 'service', null,
    '{delivery_max_attempts, delivery_retention, delivery_slots, delivery_share_of_organisation,
      delivery_share_of_endpoint, audit_retention, step_retention, run_share_of_organisation, key_expiry_notice}',
    '{run_events_secret, webhook_allow_ranges, webhook_allow_hosts}',
    '{}', null, null),
  ('retry_schedule', 'service', null, '{attempt, delay}', '{}', '{}', null, null)
) listed (name, resource, subject, shown, digested, ignored, creation, change);
comment on view audit.logged_tables is 'Tables that the audit log covers, and which of their columns: tables of tenants, and the settings of the service.';
grant select on audit.logged_tables to auditor;

create view audit.unlogged_tables (name, because) as
values
  ('request_counts', 'Requests of the current minute, for rate limits: a count that restarts every minute.'),
  ('api_key_uses', 'When a key was last used: written at most once a minute, and no change beyond the request itself.'),
  ('api_key_days', 'Counts per day.'),
  ('conversations', 'Created with their first run, which is recorded; the rest is state of the queue.'),
  ('messages', 'Added with a run and blanked by an erasure, which are both recorded; all of it is text.'),
  ('run_metadata', 'Added with a run and deleted by an erasure, which are both recorded; all of it is text.'),
  ('steps', 'Append-only, by executors, in volume; covered by app.run_events.'),
  ('step_results', 'Added with a step, which has the key; all of it is text.'),
  ('run_events', 'A log of its own, numbered without gaps.'),
  ('monthly_usage', 'A sum over steps.'),
  ('memory_history', 'A log of its own, from which erasure must be able to delete.'),
  ('third_party_restriction_changes', 'A log of its own: why app.third_party_restrictions changed, which is recorded.'),
  ('operator_actions', 'A log of its own; what an operator action changes is recorded with operator and reason.'),
  ('events', 'Append-only, by triggers along with a recorded change; or by a test, whose delivery is recorded.'),
  ('delivery_attempts', 'A log of its own, in volume: outcomes of attempts.'),
  ('endpoint_counts', 'Counts of deliveries and attempts.'),
  ('idempotency_records', 'Responses kept for a day, each with the write it belongs to.'),
  ('response_rows', 'Which rows a stored response shows, kept as long as the response.'),
  ('response_bytes', 'How many bytes were stored in each hour: a count.'),
  ('hook_receipts', 'Digests kept for a day, each with the run it has started.'),
  ('mails', 'A queue: sent mails are kept with their time, withdrawn ones are not. The reason of each mail is recorded.'),
  ('request_minutes', 'Counts per minute.'),
  ('export_parts', 'State of an export, which is recorded with the digest of its manifest.'),
  ('authorization_codes', 'For a minute. The key that one is exchanged for is recorded, with the person who consented.'),
  ('organisation_moves', 'State of a move between clusters; the operators'' log records its begin and its end.'),
  ('organisation_deletions', 'State of a deletion, and then its receipt, which the audit log and the operators'' log record.'),
  ('audit_log', 'Part of the audit log.'),
  ('audit_chain_heads', 'Part of the audit log.'),
  ('audit_truncations', 'Part of the audit log.'),
  ('audit_pending_entries', 'Part of the audit log.'),
  ('audit_leaves', 'Part of the audit log: which leaves of the tree are which entries.'),
  ('audit_faults', 'Faults of the audit log itself; accepting one is recorded.');
comment on view audit.unlogged_tables is 'Tables of tenants that the audit log does not cover, and why.';
grant select on audit.unlogged_tables to auditor;
