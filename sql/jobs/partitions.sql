/*
 * Weekly partitions of audit log, steps and their results, run events, events, deliveries, their counts and attempts. The week follows from the time
 * in a row's UUIDv7: an attempt and a count lie in the week of the delivery, a step in the week of its run. Partitions are created ahead,
 * since an insert without one fails. (docs/decisions/0008-ids-partitions-and-indexes.md)
 *
 * Creating and dropping wait 0.5 s for locks, and retry an hour later. That is shorter than PostgreSQL's
 * deadlock_timeout, so no other transaction is ever cancelled for them.
 */
create function jobs.partitioned() returns text[]
language sql immutable parallel safe
as $$ select array['audit_log', 'steps', 'step_results', 'run_events', 'events', 'endpoint_counts', 'deliveries', 'delivery_attempts'] $$;
comment on function jobs.partitioned is 'Tables of schema app with weekly partitions; each before tables that refer to it.';

create function jobs.has_week(parent text, monday timestamptz) returns boolean
language sql stable
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
      parent, parent || '_' || week, times.least_id(monday), times.least_id(monday + interval '7 days')
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
security definer set search_path = ''
as $$
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
  perform set_config('lock_timeout', (extract(epoch from lock_timeout) * 1000)::integer::text, true);
  perform service.lock('partitions'); -- a concurrent call waits, and then finds nothing missing
  for monday in execute missing loop
    perform jobs.make_week(monday);
    made := made + 1;
  end loop;
  return made;
end
$$;
comment on function jobs.make_partitions(interval) is 'Instead of row-level security: only owner may execute it. Creates empty tables and reads no row. Creates missing weeks, up to five ahead; returns how many. Fails if it waits longer than lock_timeout for a lock: a migration needs all partitions.';

create function jobs.make_partitions() returns integer
language plpgsql
security definer set search_path = ''
as $$
begin
  return jobs.make_partitions('500 milliseconds');
exception
  when lock_not_available then
    return 0; -- locked by another transaction; the next hourly call retries
end
$$;
comment on function jobs.make_partitions() is 'Instead of row-level security: only worker may execute it. Creates empty tables and reads no row. Creates missing weeks, up to five ahead; returns how many, 0 if it waited longer than 0.5 s for a lock.';
grant execute on function jobs.make_partitions() to worker;
