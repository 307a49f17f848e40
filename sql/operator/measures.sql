/*
 * Metrics of the whole service for /metrics: one JSON document, the same from every process. The cost is bounded: each
 * count stops at 200,000 rows and uses an index, and finished rows are not counted. (docs/observing.md)
 */
create function operator.seconds_since(moment timestamptz) returns double precision
language sql stable
as $$ select greatest(0, extract(epoch from now() - moment))::double precision $$;
comment on function operator.seconds_since is 'Null for a null moment; never negative, even if clocks differ.';

create function operator.measure_jobs() returns json
language sql stable
as $$
  with job as (
    select task.identifier as task, job.run_at,
      case
        when job.locked_at is not null then 'running'
        when job.attempts >= job.max_attempts then 'failed'
        when job.run_at > now() then 'scheduled'
        else 'ready'
      end as state
    from (select * from graphile_worker._private_jobs limit 200000) job
    join graphile_worker._private_tasks task on task.id = job.task_id
  )
  select coalesce(json_agg(counted), '[]')
  from (
    select task, state, count(*) as jobs, operator.seconds_since(min(run_at)) as oldest
    from job
    group by task, state
  ) counted
$$;
comment on function operator.measure_jobs is 'Jobs of the queue by task and state, with the seconds since the oldest of each was due.';

create function operator.measure_deliveries() returns json
language sql stable
set enable_seqscan = off
as $$
  with pending as (
    -- Deliveries of a paused endpoint are not due; they would look like idle workers. Not a join: without statistics
    -- its plan took half a minute.
    select case
        when (delivery.organisation_id, delivery.endpoint_id) not in (
          select paused.organisation_id, paused.id
          from app.webhook_endpoints paused
          where paused.state = 'paused' and paused.deleted_at is null
        ) then times.clock() - delivery.next_attempt_at
      end as late
    from app.deliveries delivery
    where delivery.state = 'pending'
    limit 200000
  )
  select json_build_object(
    'paused', count(*) filter (where late is null),
    'later', count(*) filter (where late < '0'),
    'a minute', count(*) filter (where late >= '0' and late < '1 minute'),
    'ten minutes', count(*) filter (where late >= '1 minute' and late < '10 minutes'),
    'an hour', count(*) filter (where late >= '10 minutes' and late < '1 hour'),
    'longer', count(*) filter (where late >= '1 hour'),
    'oldest', coalesce(greatest(0, extract(epoch from max(late))), 0)
  )
  from pending
$$;
comment on function operator.measure_deliveries is 'Pending deliveries by how long they have been due, and the seconds since the oldest was due. Deliveries of paused endpoints are counted separately.';

create function operator.measure_runs() returns json
language sql stable
set enable_seqscan = off
as $$
  with open as (
    (select case when postponed then 'postponed' else 'queued' end as state from app.runs where state = 'queued' limit 200000)
    union all
    (select state::text from app.runs where state in ('running', 'waiting_approval') limit 200000)
    union all
    (select 'paused_limit' from app.runs where state = 'paused_limit' limit 200000)
    union all
    (select 'blocked' from app.runs where state = 'blocked' limit 200000)
  ), next as (
    select conversation.next_since as since
    from app.conversations conversation
    where conversation.next_run_id is not null
    limit 200000
  )
  select json_build_object(
    'states', (
      select json_object_agg(state, (select count(*) from open where open.state = states.state))
      from unnest(array['queued', 'postponed', 'running', 'waiting_approval', 'paused_limit', 'blocked']) states (state)
    ),
    'oldest', coalesce((select operator.seconds_since(min(since)) from next), 0)
  )
$$;
comment on function operator.measure_runs is 'Open runs by state, postponed ones apart; and how many seconds ago the oldest run that an executor could lease now could first start.';

create function operator.measure_connections() returns json
language sql stable
as $$
  select json_object_agg(role, connections)
  from (
    select case when usename in ('owner', 'server', 'worker', 'runner', 'operator', 'cli', 'auditor') then usename::text
      when starts_with(usename, 'executor_') then 'executor' else 'other' end as role, count(*) as connections
    from pg_stat_activity where datname = current_database() group by 1
  ) counted
$$;
comment on function operator.measure_connections is 'Connections to this database by role; logins of executors as one.';

create function operator.measure_endpoints() returns json
language sql stable
as $$
  select coalesce(json_object_agg(state, endpoints), '{}')
  from (
    select
      case when endpoint.state = 'active' and endpoint.degraded_since is not null then 'degraded' else endpoint.state::text end
      as state, count(*) as endpoints
    from (select * from app.webhook_endpoints endpoint where endpoint.deleted_at is null limit 200000) endpoint
    group by 1
  ) counted
$$;
comment on function operator.measure_endpoints is 'Endpoints by state; degraded ones separately.';

create function operator.measure_audit_streams() returns json
language sql stable
as $$
  select coalesce(json_object_agg(state, streams), '{}')
  from (
    select
      case when stream.state = 'active' and stream.degraded_since is not null then 'degraded' else stream.state::text end
      as state, count(*) as streams
    from (select * from app.audit_streams limit 200000) stream
    group by 1
  ) counted
$$;
comment on function operator.measure_audit_streams is 'Streams of the audit log by state; degraded ones separately.';

create function operator.measure_routines() returns double precision
language sql stable
as $$
  select coalesce((
    select operator.seconds_since(min(due.next_firing_at))
    from (
      select routine.next_firing_at
      from app.routines routine
      where routine.state = 'active' and routine.deleted_at is null
        and routine.next_firing_at > '-infinity' and routine.next_firing_at <= times.clock()
        and not exists ( -- jobs.due_routines skips them
          select from app.organisations organisation
          where organisation.id = routine.organisation_id and organisation.suspended_at is not null
        )
      order by routine.next_firing_at
      limit 1
    ) due
  ), 0)
$$;
comment on function operator.measure_routines is 'The seconds by which the longest due firing is late.';

create function operator.measure_mails() returns json
language sql stable
set search_path = ''
as $$
  select json_build_object(
    'unsent', count(*), 'oldest', coalesce(operator.seconds_since(min(uuid_extract_timestamp(mail.id))), 0)
  )
  from (select unsent.id from app.mails unsent where unsent.sent_at is null limit 200000) mail
$$;
comment on function operator.measure_mails is 'Unsent mails, and the age of the oldest in seconds.';

create function operator.measure() returns json
language sql stable
security definer set search_path = ''
as $$
  select json_build_object(
    -- The same for every console, replica and restart of this database.
    'database', (select control.system_identifier || '/' || current_database() from pg_control_system() control),
    'definitions', (select build.digest from app.definition_builds build order by build.id desc limit 1),
    'databaseBytes', pg_database_size(current_database()),
    'connections', operator.measure_connections(),
    'jobs', operator.measure_jobs(),
    'deliveries', operator.measure_deliveries(),
    'runs', operator.measure_runs(),
    'endpoints', operator.measure_endpoints(),
    'auditStreams', operator.measure_audit_streams(),
    'executors', (
      select json_build_object(
        'alive', count(*) filter (where executor.last_seen_at > now() - interval '1 minute'),
        'silent', count(*) filter (where executor.last_seen_at <= now() - interval '1 minute')
      )
      from app.executors executor
    ),
    'mails', operator.measure_mails(),
    'routineLate', operator.measure_routines(),
    'lastBackup', (
      select extract(epoch from max(command.created_at))
      from app.operator_commands command
      where command.action = 'back_up'
    ),
    'credentials', operator.measure_credentials(),
    'auditLog', operator.measure_audit_log(),
    'weeksAhead', (
      select count(*)
      from pg_catalog.pg_class leaf
      where leaf.relnamespace = 'partitions'::regnamespace and leaf.relname ~ '^delivery_attempts_\d{8}$'
        and to_date(right(leaf.relname, 8), 'YYYYMMDD') > now()
    )
  )
$$;
comment on function operator.measure is 'Instead of row-level security: only operator may execute it. Counts over all organisations, and returns no row or name of any.';
grant execute on function operator.measure to operator;
