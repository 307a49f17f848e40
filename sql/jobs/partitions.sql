/*
 * Weeks. Events, deliveries, attempts, steps, what runs told and the trail lie in tables of a week each, by the time in the
 * UUIDv7 that each row is told apart by: an attempt in the week of its delivery, a step in that of its run. Weeks
 * are made ahead, since an insert that finds none fails, and dropped whole when they have been kept long enough
 * (jobs.kept_for). (docs/decisions.md, "Partitions".)
 *
 * Who makes or drops one waits half a second for its locks and else tries again an hour later. That is less than
 * PostgreSQL waits before it looks for deadlocks, so nobody else is ever chosen to give way.
 */
create function jobs.least_id(moment timestamptz) returns uuid
language sql immutable strict -- or else greatest would take no instant for 1970
set search_path = ''
as $$
  select (lpad(to_hex((extract(epoch from greatest(moment, 'epoch')) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
comment on function jobs.least_id is 'The least UUIDv7 of an instant: what was made from then on has a greater one. No id is of a time before 1970.';

create function jobs.partitioned() returns text[]
language sql immutable parallel safe
as $$ select array['audit_trail', 'steps', 'run_events', 'events', 'deliveries', 'delivery_attempts'] $$;
comment on function jobs.partitioned is 'The tables of app that lie in weeks; what is referred to before what refers to it.';

create function jobs.kept_for(parent text) returns interval
language sql stable
set search_path = ''
as $$
  select case
    when parent = 'audit_trail' then settings.audit_retention
    when parent in ('steps', 'run_events') then settings.step_retention
    else settings.delivery_retention
  end
  from app.service_settings settings
$$;

-- What there was before a table lay in weeks is its first partition, open downwards.
create function jobs.is_open_downwards(leaf regclass) returns boolean
language sql stable
set search_path = ''
as $$
  select pg_catalog.pg_get_expr(class.relpartbound, class.oid) like 'FOR VALUES FROM (MINVALUE)%'
  from pg_catalog.pg_class class
  where class.oid = leaf
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
      and (leaf.relname = week.name or leaf.relname > week.name and jobs.is_open_downwards(leaf.oid))
  )
$$;
comment on function jobs.has_week is 'Whether there is a partition for what is of the week that begins on this Monday.';

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
    -- Made by itself and attached: whoever reads or writes the others goes on meanwhile.
    execute format(
      'create table partitions.%I (like app.%I including defaults including constraints including generated including storage)',
      parent || '_' || week, parent
    );
    -- No policy and no privilege: rows are reached through the parent, under the parent's policies.
    execute format('alter table partitions.%I enable row level security', parent || '_' || week);
    execute format('alter table partitions.%I force row level security', parent || '_' || week);
    execute format('revoke all on partitions.%I from public, server, tenant, authenticator, searcher, worker, runner, operator, auditor', parent || '_' || week);
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
comment on function jobs.make_week is 'Makes the partitions that are missing of the week that begins on this Monday, 00:00 UTC.';

-- From yesterday on, for the sake of clocks that are set back; that is never longer ago than what is kept.
create function jobs.make_partitions(patience interval) returns integer
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it makes empty tables, secured as their parents are, and reads no row.
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
  perform pg_advisory_xact_lock(20251122); -- one maker at a time: who comes second finds nothing missing
  perform set_config('lock_timeout', (extract(epoch from patience) * 1000)::integer::text, true);
  for monday in execute missing loop
    perform jobs.make_week(monday);
    made := made + 1;
  end loop;
  return made;
end
$$;
comment on function jobs.make_partitions(interval) is 'Instead of row-level security: makes empty tables and reads no row. Makes the weeks that are missing, up to five ahead; answers how many. Refuses where a lock is not had in time: a migration is not done before all are there.';

create function jobs.make_partitions() returns integer
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it makes empty tables, secured as their parents are, and reads no row.
begin
  return jobs.make_partitions('500 milliseconds');
exception
  when lock_not_available then
    return 0; -- somebody is at work there; the next hour will do
end
$$;
comment on function jobs.make_partitions() is 'Instead of row-level security: makes empty tables and reads no row. Makes the weeks that are missing, up to five ahead; answers how many, none where a lock was not had in time.';

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
comment on function jobs.is_referred_to is 'Whether a delivery, of whatever week, is of an event of the week that begins on this Monday.';

-- A run that has not ended goes on telling, from the number on that it has come to.
create function jobs.has_open_run(leaf regclass, monday timestamptz) returns boolean
language sql stable
set search_path = ''
set enable_seqscan = off
as $$
  select exists (
    select
    from app.runs run
    where run.id >= case when jobs.is_open_downwards(leaf) then '00000000-0000-0000-0000-000000000000' else jobs.least_id(monday) end
      and run.id < jobs.least_id(monday + interval '7 days')
      and run.finished_at is null
  )
$$;
comment on function jobs.has_open_run is 'Whether a run has not ended whose steps lie in this partition, of the week that begins on this Monday.';

-- What is dropped of the trail leaves behind where it ended, so that what is kept can be verified from there. A week that
-- has passed gets no more entries, so this can be looked up before anybody is locked out: one entry of each organisation,
-- however many the week holds.
create function jobs.cut_trail(monday timestamptz) returns void
language sql
set search_path = ''
set enable_seqscan = off
as $$
  insert into app.audit_cuts as cut (organisation_id, sequence, hash)
  select organisation.id, last.sequence, last.hash
  from app.organisations organisation
  cross join lateral (
    select entry.sequence, entry.hash
    from app.audit_trail entry
    where entry.organisation_id = organisation.id
      and entry.id >= jobs.least_id(monday) and entry.id < jobs.least_id(monday + interval '7 days')
    order by entry.id desc
    limit 1
  ) last
  on conflict (organisation_id) do update set sequence = excluded.sequence, hash = excluded.hash
  where cut.sequence < excluded.sequence
$$;
comment on function jobs.cut_trail is 'Notes the last entry of each organisation in the week that begins on this Monday, which is about to be dropped.';

create function jobs.drop_partition() returns text
language plpgsql
security definer
set search_path = ''
set lock_timeout = '500ms'
as $$
-- In place of row-level security: it drops what has expired, whosever it is, and shows none of it.
declare
  expired record;
  began timestamptz;
  beside text;
begin
  select parent.relname as parent, leaf.relname as name, leaf.oid as leaf, week.monday into expired
  from pg_catalog.pg_inherits inheritance
  join pg_catalog.pg_class parent on parent.oid = inheritance.inhparent and parent.relkind = 'p'
  join pg_catalog.pg_class leaf on leaf.oid = inheritance.inhrelid and leaf.relnamespace = 'partitions'::regnamespace,
    lateral (select to_date(substring(leaf.relname from '_(\d{8})$'), 'YYYYMMDD')::timestamp at time zone 'UTC') as week (monday)
  where week.monday + interval '7 days' <= now() - jobs.kept_for(parent.relname)
    and case
      when parent.relname = 'events' then not jobs.is_referred_to(week.monday)
      when parent.relname in ('steps', 'run_events') then not jobs.has_open_run(leaf.oid, week.monday)
      else true
    end
  -- What refers goes before what it refers to.
  order by array_position(jobs.partitioned(), parent.relname::text) desc, week.monday
  limit 1;
  if expired.name is null then
    return null;
  end if;
  if expired.parent = 'audit_trail' then
    perform jobs.cut_trail(expired.monday);
  end if;
  if expired.parent = 'delivery_attempts' then
    -- One of its deliveries that is sent again needs a place for what comes of it: both weeks go, or neither does. Locked
    -- in the order of those who write them, and half a second is for both.
    began := clock_timestamp();
    lock table app.deliveries in access exclusive mode;
    perform set_config(
      'lock_timeout', greatest(500 - 1000 * extract(epoch from clock_timestamp() - began), 1)::integer::text, true
    );
    beside := replace(expired.name, expired.parent, 'deliveries');
  end if;
  execute format('lock table app.%I in access exclusive mode', expired.parent);
  if to_regclass('partitions.' || expired.name) is null
    or expired.parent = 'events' and jobs.is_referred_to(expired.monday) then
    return null; -- another worker was here, or a delivery was made while the lock was waited for
  end if;
  execute format('drop table partitions.%I', expired.name);
  if beside is not null then
    execute format('drop table partitions.%I', beside);
  end if;
  return concat_ws(', ', expired.name, beside);
exception
  when lock_not_available then
    return null; -- somebody is at work in it; the next hour will do
end
$$;
comment on function jobs.drop_partition is 'Instead of row-level security: drops what has expired and shows none of it. Drops one partition, one of attempts with that of its deliveries, so that locks are held for a moment; answers which, or null when there is none to drop now.';
