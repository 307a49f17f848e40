/*
 * Weekly partitions of audit log, steps, run events, events, deliveries and attempts. The week follows from the time in
 * a row's UUIDv7: an attempt lies in the week of its delivery, a step in that of its run. Partitions are created ahead,
 * since an insert without one fails, and dropped whole after their retention (jobs.kept_for).
 * (docs/decisions/0009-weekly-partitions.md)
 *
 * Creating and dropping wait 0.5 s for locks, and retry an hour later. That is shorter than PostgreSQL's
 * deadlock_timeout, so no other transaction is ever cancelled for them.
 */
create function jobs.least_id(moment timestamptz) returns uuid
language sql immutable strict -- strict, since greatest() would turn null into 1970
set search_path = ''
as $$
  select (lpad(to_hex((extract(epoch from greatest(moment, 'epoch')) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
comment on function jobs.least_id is 'The smallest UUIDv7 of an instant: later rows have greater ids. Times before 1970 count as 1970.';
grant execute on function jobs.least_id to tenant, operator;

create function jobs.partitioned() returns text[]
language sql immutable parallel safe
as $$ select array['audit_log', 'steps', 'run_events', 'events', 'deliveries', 'delivery_attempts'] $$;
comment on function jobs.partitioned is 'Tables of schema app with weekly partitions; each before tables that refer to it.';

create function jobs.kept_for(parent text) returns interval
language sql stable
set search_path = ''
as $$
  select case
    when parent = 'audit_log' then settings.audit_retention
    when parent in ('steps', 'run_events') then settings.step_retention
    else settings.delivery_retention
  end
  from app.service_settings settings
$$;

create function jobs.has_week(parent text, monday timestamptz) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select
    from pg_catalog.pg_inherits inheritance
    join pg_catalog.pg_class leaf on leaf.oid = inheritance.inhrelid
    join (values (parent || '_' || to_char(monday at time zone 'UTC', 'YYYYMMDD'))) as week (name) on true
    where inheritance.inhparent = ('app.' || parent)::regclass and leaf.relkind = 'r'
      and leaf.relname = week.name
  )
$$;
comment on function jobs.has_week is 'Whether a partition for the week that begins on this Monday exists.';

create function jobs.make_week(monday timestamptz) returns void
language plpgsql
set search_path = ''
as $$
declare
  week text := to_char(monday at time zone 'UTC', 'YYYYMMDD');
  parent text;
begin
  foreach parent in array jobs.partitioned() loop
    continue when jobs.has_week(parent, monday);
    -- Created alone and then attached, so that readers and writers of other partitions continue meanwhile.
    execute format(
      'create table partitions.%I (like app.%I including defaults including constraints including generated including storage)',
      parent || '_' || week, parent
    );
    -- No policy and no privilege: rows are reached through the parent table, under its policies.
    execute format('alter table partitions.%I enable row level security', parent || '_' || week);
    execute format('alter table partitions.%I force row level security', parent || '_' || week);
    execute format('revoke all on partitions.%I from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor', parent || '_' || week);
    execute format(
      'alter table app.%I attach partition partitions.%I for values from (%L) to (%L)',
      parent, parent || '_' || week, jobs.least_id(monday), jobs.least_id(monday + interval '7 days')
    );
    if parent = 'delivery_attempts' then
      execute format(
        'alter table partitions.%I add foreign key (organisation_id, delivery_id) references partitions.%I (organisation_id, id)',
        'delivery_attempts_' || week, 'deliveries_' || week
      );
    elsif parent = 'run_events' then
      execute format(
        'alter table partitions.%I add foreign key (organisation_id, run_id, step_number) references partitions.%I (organisation_id, run_id, number)',
        'run_events_' || week, 'steps_' || week
      );
    end if;
  end loop;
end
$$;
comment on function jobs.make_week is 'Creates the missing partitions of the week that begins on this Monday, 00:00 UTC.';

-- From yesterday on, in case the clock is set back. Every retention is longer than that.
create function jobs.make_partitions(lock_timeout interval) returns integer
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: creates empty tables, secured like their parents, and reads no row.
declare
  missing constant text := $query$
    select monday
    from generate_series(
      date_trunc('week', now() - interval '1 day', 'UTC'), now() + interval '5 weeks', interval '7 days'
    ) monday
    where exists (select from unnest(jobs.partitioned()) parent where not jobs.has_week(parent, monday))
  $query$;
  monday timestamptz;
  made integer := 0;
begin
  execute missing into monday;
  if monday is null then
    return 0;
  end if;
  perform pg_advisory_xact_lock(20251122); -- a concurrent call waits, and then finds nothing missing
  perform set_config('lock_timeout', (extract(epoch from lock_timeout) * 1000)::integer::text, true);
  for monday in execute missing loop
    perform jobs.make_week(monday);
    made := made + 1;
  end loop;
  return made;
end
$$;
comment on function jobs.make_partitions(interval) is 'Instead of row-level security: creates empty tables and reads no row. Creates missing weeks, up to five ahead; returns how many. Fails if it waits longer than lock_timeout for a lock: a migration needs all partitions.';

create function jobs.make_partitions() returns integer
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: creates empty tables, secured like their parents, and reads no row.
begin
  return jobs.make_partitions('500 milliseconds');
exception
  when lock_not_available then
    return 0; -- locked by another transaction; the next hourly call retries
end
$$;
comment on function jobs.make_partitions() is 'Instead of row-level security: creates empty tables and reads no row. Creates missing weeks, up to five ahead; returns how many, 0 if it waited longer than 0.5 s for a lock.';
grant execute on function jobs.make_partitions() to worker;

create function jobs.is_referred_to(monday timestamptz) returns boolean
language sql stable
set search_path = ''
set enable_seqscan = off
as $$
  select exists (
    select
    from app.deliveries delivery
    where delivery.event_id >= jobs.least_id(monday) and delivery.event_id < jobs.least_id(monday + interval '7 days')
  )
$$;
comment on function jobs.is_referred_to is 'Whether a delivery of any week refers to an event of the week that begins on this Monday.';

-- An open run continues to write events and steps, numbered on from its last.
create function jobs.has_open_run(monday timestamptz) returns boolean
language sql stable
set search_path = ''
set enable_seqscan = off
as $$
  select exists (
    select
    from app.runs run
    where run.id >= jobs.least_id(monday)
      and run.id < jobs.least_id(monday + interval '7 days')
      and run.finished_at is null
  )
$$;
comment on function jobs.has_open_run is 'Whether a run of the week that begins on this Monday is open.';

-- Records the last entry of each organisation before its partition is dropped, so that the remaining chain can be
-- verified from there. A past week gets no new entries, so this needs no lock. It reads one entry per organisation.
create function jobs.truncate_audit_log(monday timestamptz) returns void
language sql
set search_path = ''
set enable_seqscan = off
as $$
  insert into app.audit_truncations as truncation (organisation_id, sequence, hash)
  select organisation.id, last.sequence, last.hash
  from app.organisations organisation
  cross join lateral (
    select entry.sequence, entry.hash
    from app.audit_log entry
    where entry.organisation_id = organisation.id
      and entry.id >= jobs.least_id(monday) and entry.id < jobs.least_id(monday + interval '7 days')
    order by entry.id desc
    limit 1
  ) last
  on conflict (organisation_id) do update set sequence = excluded.sequence, hash = excluded.hash
  where truncation.sequence < excluded.sequence
$$;
comment on function jobs.truncate_audit_log is 'Records each organisation''s last entry of the week that begins on this Monday, before its partition is dropped.';

create function jobs.drop_partition() returns text
language plpgsql
security definer
set search_path = ''
set lock_timeout = '500ms'
as $$
-- In place of row-level security: drops expired rows of any organisation, and returns none of them.
declare
  expired record;
  began timestamptz;
  deliveries_partition text;
begin
  select parent.relname as parent, leaf.relname as name, leaf.oid as leaf, week.monday into expired
  from pg_catalog.pg_inherits inheritance
  join pg_catalog.pg_class parent on parent.oid = inheritance.inhparent and parent.relkind = 'p'
  join pg_catalog.pg_class leaf on leaf.oid = inheritance.inhrelid and leaf.relnamespace = 'partitions'::regnamespace,
    lateral (select to_date(substring(leaf.relname from '_(\d{8})$'), 'YYYYMMDD')::timestamp at time zone 'UTC') as week (monday)
  where week.monday + interval '7 days' <= now() - jobs.kept_for(parent.relname)
    and case
      when parent.relname = 'events' then not jobs.is_referred_to(week.monday)
      when parent.relname in ('steps', 'run_events') then not jobs.has_open_run(week.monday)
      else true
    end
  -- Referring tables before the tables that they refer to.
  order by array_position(jobs.partitioned(), parent.relname::text) desc, week.monday
  limit 1;
  if expired.name is null then
    return null;
  end if;
  if expired.parent = 'audit_log' then
    perform jobs.truncate_audit_log(expired.monday);
  end if;
  if expired.parent = 'delivery_attempts' then
    -- A delivery of it that is sent again needs a partition for its attempts: so both partitions go, or neither does.
    -- Locks are taken in the order of the writers, and both together wait at most 0.5 s.
    began := clock_timestamp();
    lock table app.deliveries in access exclusive mode;
    perform set_config(
      'lock_timeout', greatest(500 - 1000 * extract(epoch from clock_timestamp() - began), 1)::integer::text, true
    );
    deliveries_partition := replace(expired.name, expired.parent, 'deliveries');
  end if;
  execute format('lock table app.%I in access exclusive mode', expired.parent);
  if to_regclass('partitions.' || expired.name) is null
    or expired.parent = 'events' and jobs.is_referred_to(expired.monday) then
    return null; -- dropped by another worker, or a delivery was added while this call waited for the lock
  end if;
  execute format('drop table partitions.%I', expired.name);
  if deliveries_partition is not null then
    execute format('drop table partitions.%I', deliveries_partition);
  end if;
  return concat_ws(', ', expired.name, deliveries_partition);
exception
  when lock_not_available then
    return null; -- locked by another transaction; the next hourly call retries
end
$$;
comment on function jobs.drop_partition is 'Instead of row-level security: drops expired rows and returns none. Drops one partition, one of attempts together with that of its deliveries, so that locks are short; returns the names, or null if none can be dropped now.';
grant execute on function jobs.drop_partition to worker;
