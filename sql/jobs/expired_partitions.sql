/* Weekly partitions are dropped whole after their retention. (docs/decisions/0008-ids-partitions-and-indexes.md) */
create function jobs.is_referred_to(monday timestamptz) returns boolean
language sql stable
set enable_seqscan = off
as $$
  select exists (
    select
    from app.deliveries delivery
    where delivery.event_id >= times.least_id(monday) and delivery.event_id < times.least_id(monday + interval '7 days')
  )
$$;
comment on function jobs.is_referred_to is 'Whether a delivery of any week refers to an event of the week that begins on this Monday.';

-- An open run continues to write events and steps, numbered on from its last.
create function jobs.has_open_run(monday timestamptz) returns boolean
language sql stable
set enable_seqscan = off
as $$
  select exists (
    select
    from app.runs run
    where run.id >= times.least_id(monday)
      and run.id < times.least_id(monday + interval '7 days')
      and run.finished_at is null
  )
$$;
comment on function jobs.has_open_run is 'Whether a run of the week that begins on this Monday is open.';

-- Results are also kept for a while after the end of their run.
create function jobs.has_kept_results(monday timestamptz) returns boolean
language sql stable
set enable_seqscan = off
as $$
  select jobs.has_open_run(monday) or exists (
    select
    from app.step_results stored
    join app.runs run on run.organisation_id = stored.organisation_id and run.id = stored.run_id
    where stored.run_id >= times.least_id(monday)
      and stored.run_id < times.least_id(monday + interval '7 days')
      and run.finished_at > now() - jobs.kept_for('step_results')
  )
$$;
comment on function jobs.has_kept_results is 'Whether results of the week that begins on this Monday are kept, or a run of it may add some.';

-- One open run keeps its week, so the rows of others in that week are deleted. That begins late, because nearly all weeks
-- are dropped whole.
create function jobs.delete_old_results() returns integer
language sql
security definer set search_path = ''
as $$
  with deleted as (
    delete from app.step_results stored
    using (
      select old.organisation_id, old.run_id, old.key
      from app.step_results old
      join app.runs run on run.organisation_id = old.organisation_id and run.id = old.run_id
      where old.run_id < times.least_id(now() - 3 * jobs.kept_for('step_results'))
        and run.finished_at <= now() - jobs.kept_for('step_results')
      limit 1000
    ) old
    where stored.organisation_id = old.organisation_id and stored.run_id = old.run_id and stored.key = old.key
    returning true
  )
  select count(*)::integer from deleted
$$;
comment on function jobs.delete_old_results is 'Instead of row-level security: only worker may execute it. Deletes results of runs that started three weeks ago and ended a week ago, and returns no row. At most 1,000; returns how many.';
grant execute on function jobs.delete_old_results to worker;

create function jobs.expired_partition(out parent name, out name name, out monday timestamptz)
language sql stable
as $$
  select parent.relname, leaf.relname, week.monday
  from pg_catalog.pg_inherits inheritance
  join pg_catalog.pg_class parent on parent.oid = inheritance.inhparent and parent.relkind = 'p'
  join pg_catalog.pg_class leaf on leaf.oid = inheritance.inhrelid and leaf.relnamespace = 'partitions'::regnamespace,
    lateral (select to_date(substring(leaf.relname from '_(\d{8})$'), 'YYYYMMDD')::timestamp at time zone 'UTC') as week (monday)
  where week.monday + interval '7 days' <= now() - jobs.kept_for(parent.relname)
    and case
      when parent.relname = 'events' then not jobs.is_referred_to(week.monday)
      when parent.relname in ('steps', 'run_events') then not jobs.has_open_run(week.monday)
      when parent.relname = 'step_results' then not jobs.has_kept_results(week.monday)
      when parent.relname = 'audit_log' then not jobs.has_unrecorded_truncation(week.monday)
      else true
    end
  -- Referring tables before the tables that they refer to.
  order by array_position(jobs.partitioned(), parent.relname::text) desc, week.monday
  limit 1
$$;
comment on function jobs.expired_partition is 'The partition to drop next: its table, its name and its Monday.';

-- A delivery of expired attempts that is sent again needs a partition for its attempts, and its count one for counts: so all
-- three go, or none does. Locks are taken in the order of the writers. Deliveries and attempts together wait at most 0.5 s.
create function jobs.lock_to_drop(parent name) returns void
language plpgsql
as $$
declare
  began constant timestamptz := clock_timestamp();
begin
  if parent = 'delivery_attempts' then
    lock table app.deliveries in access exclusive mode;
    perform set_config(
      'lock_timeout', greatest(500 - 1000 * extract(epoch from clock_timestamp() - began), 1)::integer::text, true
    );
  end if;
  execute format('lock table app.%I in access exclusive mode', parent);
  if parent = 'delivery_attempts' then
    lock table app.endpoint_counts in access exclusive mode;
  end if;
end
$$;
comment on function jobs.lock_to_drop is 'Locks the table whose partition is to be dropped; for attempts, deliveries before it and counts after it.';

create function jobs.drop_partition() returns text
language plpgsql
security definer set search_path = ''
set lock_timeout = '500ms'
as $$
declare
  expired record;
  dropped text[];
begin
  select * into expired from jobs.expired_partition();
  if expired.name is null then
    return null;
  end if;
  if expired.parent = 'audit_log' then
    perform jobs.truncate_audit_log(expired.monday);
  end if;
  perform jobs.lock_to_drop(expired.parent);
  if to_regclass('partitions.' || expired.name) is null
    or expired.parent = 'events' and jobs.is_referred_to(expired.monday) then
    return null; -- dropped by another worker, or a delivery was added while this call waited for the lock
  end if;
  dropped := array[expired.name];
  if expired.parent = 'delivery_attempts' then
    dropped := dropped || replace(expired.name, expired.parent, 'deliveries') || replace(expired.name, expired.parent, 'endpoint_counts');
  end if;
  execute (select 'drop table ' || string_agg(format('partitions.%I', name), ', ') from unnest(dropped) name);
  return array_to_string(dropped, ', ');
exception
  when lock_not_available then
    return null; -- locked by another transaction; the next hourly call retries
end
$$;
comment on function jobs.drop_partition is 'Instead of row-level security: only worker may execute it. Drops expired rows and returns none. Drops one partition, so that locks are short. A partition of attempts goes together with the partitions of its deliveries and counts. Returns the names, or null if none can be dropped now.';
grant execute on function jobs.drop_partition to worker;
