/*
 * Retention of the audit log. A truncation is an entry first: how many entries, and up to which. Once those entries are
 * in a checkpoint, their partition can be dropped. (docs/decisions/0033-audit-log.md)
 */

-- A past week gets no new entries, so this needs no lock. It reads one entry per organisation.
create function jobs.last_entries(monday timestamptz)
returns table (organisation_id uuid, id uuid, sequence bigint, hash bytea)
language sql stable
set enable_seqscan = off
as $$
  select chain.organisation_id, last.id, last.sequence, last.hash
  from app.audit_chain_heads chain
  cross join lateral (
    select entry.id, entry.sequence, entry.hash
    from app.audit_log entry
    where entry.organisation_id = chain.organisation_id
      and entry.id >= times.least_id(monday) and entry.id < times.least_id(monday + interval '7 days')
    order by entry.id desc
    limit 1
  ) last
$$;
comment on function jobs.last_entries is 'Each organisation''s last entry of the week that begins on this Monday.';

create function jobs.expired_audit_week() returns timestamptz
language sql stable
as $$
  select min(week.monday)
  from pg_catalog.pg_inherits inheritance
  join pg_catalog.pg_class leaf on leaf.oid = inheritance.inhrelid and leaf.relnamespace = 'partitions'::regnamespace,
    lateral (select to_date(substring(leaf.relname from '_(\d{8})$'), 'YYYYMMDD')::timestamp at time zone 'UTC') as week (monday)
  where inheritance.inhparent = 'app.audit_log'::regclass
    and week.monday + interval '7 days' <= now() - jobs.kept_for('audit_log')
$$;
comment on function jobs.expired_audit_week is 'The Monday of the oldest week of the audit log that is past its retention; null if there is none.';

create function jobs.has_unrecorded_truncation(monday timestamptz) returns boolean
language sql stable
set enable_seqscan = off
as $$
  select exists (
    select
    from jobs.last_entries(monday) last
    left join app.audit_truncations truncation on truncation.organisation_id = last.organisation_id
    left join audit.logged_chains chain on chain.organisation_id = last.organisation_id
    where coalesce(truncation.next_sequence, 0) < last.sequence
      or chain.logged_id is null or chain.logged_id < truncation.next_entry_id
  )
$$;
comment on function jobs.has_unrecorded_truncation is 'Whether an organisation has entries of this week whose truncation is not an entry in a checkpoint yet.';

create function jobs.record_truncations(max_organisations integer default 500) returns integer
language plpgsql
security definer set search_path = ''
set enable_seqscan = off
as $$
declare
  recorded integer;
begin
  with due as (
    select last.organisation_id, last.id, last.sequence, last.hash, coalesce(truncation.sequence, 0) as before
    from jobs.last_entries(jobs.expired_audit_week()) last
    left join app.audit_truncations truncation on truncation.organisation_id = last.organisation_id
    where coalesce(truncation.next_sequence, truncation.sequence, 0) < last.sequence
      and last.organisation_id not in (select deletion.organisation_id from app.organisation_deletions deletion where deletion.ended_at is null)
    order by last.organisation_id
    limit max_organisations
  ), entries as (
    insert into app.audit_pending_entries (organisation_id, actor, action, resource, changed, before)
    select due.organisation_id, triggers.actor(session_user), 'deleted', 'audit_log', '{}', json_build_object(
        'entries', due.sequence - due.before, 'throughSequence', due.sequence, 'throughHash', encode(due.hash, 'hex'),
        'throughId', due.id, 'retention', jobs.kept_for('audit_log')
      )
    from due
  )
  insert into app.audit_truncations as truncation (organisation_id, sequence, hash, next_sequence, next_hash, next_entry_id)
  select due.organisation_id, 0, sha256(convert_to(due.organisation_id::text, 'UTF8')), due.sequence, due.hash, due.id
  from due
  on conflict (organisation_id) do update set
    next_sequence = excluded.next_sequence, next_hash = excluded.next_hash, next_entry_id = excluded.next_entry_id;
  get diagnostics recorded = row_count;
  -- Appends the entries now, which locks the chain heads until the commit. The head is then the entry of this call.
  set constraints all immediate;
  update app.audit_truncations truncation
  set next_entry_id = head.entry_id
  from app.audit_chain_heads head
  where truncation.xmin = pg_current_xact_id()::xid and head.organisation_id = truncation.organisation_id;
  return recorded;
end
$$;
comment on function jobs.record_truncations is 'Instead of row-level security: only worker may execute it. Adds entries of their own to chains of all organisations, and returns none. Records what the next drop of a week truncates, for at most max_organisations organisations; returns for how many.';
grant execute on function jobs.record_truncations to worker;

-- A run of the checkpoint job must not read old beginnings of chains in its snapshot and find their week dropped. So this waits
-- for a run, and a run whose snapshot is older fails at this row.
create function jobs.truncate_audit_log(monday timestamptz) returns void
language sql
as $$
  update app.audit_tree set attempted_at = attempted_at;
  update app.audit_truncations truncation
  set sequence = truncation.next_sequence, hash = truncation.next_hash, entry_id = truncation.next_entry_id,
    next_sequence = null, next_hash = null, next_entry_id = null
  from jobs.last_entries(monday) last
  where last.organisation_id = truncation.organisation_id and truncation.next_sequence = last.sequence
$$;
comment on function jobs.truncate_audit_log is 'Moves the beginning of each chain behind the week that begins on this Monday, before its partition is dropped.';
