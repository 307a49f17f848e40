/*
 * Recovery of lost jobs. A killed worker leaves its jobs locked, and the queue unlocks them only after 4 hours. Each
 * worker pool therefore holds an advisory lock while its session lives: if the lock is free, the pool is gone and its
 * jobs are released. An endpoint with due deliveries, no live lease and no job gets a new job. So even an emptied job
 * table loses no delivery. (docs/specification/deliveries.md#leasing)
 */
create function jobs.register_worker_pool(pool text) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: reads no row. A definer function, since no login takes advisory locks by itself.
  select pg_advisory_lock(20251120, hashtext(pool))
$$;
comment on function jobs.register_worker_pool is 'Instead of row-level security: reads no row. Marks a worker pool as alive until the calling session ends.';
grant execute on function jobs.register_worker_pool to worker;

create function jobs.run_maintenance(out freed integer, out requeued integer)
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: moves jobs, and reads deliveries only where something is due.
declare
  previous_run_at timestamptz;
begin
  select maintenance.last_run_at into previous_run_at from app.maintenance for update skip locked;
  if previous_run_at is null then
    freed := 0;
    requeued := 0;
    return; -- another worker runs maintenance
  end if;
  update app.maintenance set last_run_at = jobs.clock();
  if jobs.clock() < previous_run_at - interval '1 second' then
    perform jobs.follow_clock_back(previous_run_at - jobs.clock());
  end if;
  freed := jobs.release_orphaned_jobs();
  requeued := jobs.recover_lost_jobs();

  perform jobs.queue_mail(mail.organisation_id, mail.id)
  from app.mails mail
  where mail.sent_at is null
    and not exists (select from graphile_worker.jobs job where job.key = 'mail:' || mail.id::text);
  perform jobs.expedite_mails();
end
$$;
comment on function jobs.run_maintenance is 'Instead of row-level security: moves jobs, and reads rows only where something is due. Of concurrent calls only one works. Returns how many jobs were released and how many endpoints were queued again.';
grant execute on function jobs.run_maintenance to worker;

create function jobs.release_orphaned_jobs() returns integer
language plpgsql
set search_path = ''
as $$
declare
  dead text[];
  freed integer;
begin
  -- A pool takes its advisory lock within moments of its first job, hence the 5 seconds. A job locked in the future was
  -- locked before the clock was set back.
  select coalesce(array_agg(pool), '{}') into dead
  from (
    select job.locked_by as pool
    from graphile_worker.jobs job
    where job.locked_by is not null
    group by job.locked_by
    having max(job.locked_at) not between now() - interval '5 seconds' and now() + interval '5 seconds'
  ) busy
  where pg_try_advisory_xact_lock(20251120, hashtext(pool));
  select count(*) into freed from graphile_worker.jobs job where job.locked_by = any (dead);
  perform graphile_worker.force_unlock_workers(dead);
  return freed;
end
$$;
comment on function jobs.release_orphaned_jobs is 'Unlocks the jobs of worker pools that are gone. Returns how many.';

create function jobs.recover_lost_jobs() returns integer
language plpgsql
set search_path = ''
set plan_cache_mode = force_generic_plan -- as for jobs.lease_deliveries
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  queued integer;
begin
  with recursive
    -- Skips from endpoint to endpoint along the index of pending deliveries: one probe each, however many deliveries
    -- wait.
    waiting as (
      (
        select head.organisation_id, head.endpoint_id, head.next_attempt_at
        from app.deliveries head
        where head.state = 'pending'
        order by head.organisation_id, head.endpoint_id, head.next_attempt_at
        limit 1
      )
      union all
      select further.organisation_id, further.endpoint_id, further.next_attempt_at
      from waiting
      cross join lateral (
        select head.organisation_id, head.endpoint_id, head.next_attempt_at
        from app.deliveries head
        where head.state = 'pending'
          and (head.organisation_id, head.endpoint_id) > (waiting.organisation_id, waiting.endpoint_id)
        order by head.organisation_id, head.endpoint_id, head.next_attempt_at
        limit 1
      ) further
    ),
    waiting_jobs as materialized (
      select job.payload ->> 'endpointId' as endpoint
      from graphile_worker._private_jobs job
      where job.is_available and job.priority in (0, 1) and job.run_at <= now()
    ),
    lost as (
      select waiting.organisation_id, waiting.endpoint_id, endpoint.degraded_since is not null as degraded
      from waiting
      join app.webhook_endpoints endpoint
        on endpoint.organisation_id = waiting.organisation_id
        and endpoint.id = waiting.endpoint_id
        and (endpoint.state <> 'paused' or endpoint.deleted_at is not null)
      where waiting.next_attempt_at < jobs.clock() - jobs.lease_time()
        and not exists (
          select
          from app.deliveries leased
          where leased.organisation_id = waiting.organisation_id
            and leased.endpoint_id = waiting.endpoint_id
            and leased.lease_id is not null
            and leased.lease_until > jobs.clock()
        )
        and waiting.endpoint_id::text not in (
          select job.endpoint from waiting_jobs job where job.endpoint is not null
        )
    ),
    -- Of degraded endpoints only as many as may have attempts under way. In random order, so that none always comes
    -- last.
    wanted as (
      select lost.organisation_id, lost.endpoint_id
      from (
        select lost.*, row_number() over (partition by lost.degraded order by random()) as place from lost
      ) lost
      where not lost.degraded
        or lost.place <= (select settings.delivery_slots / 2 from app.service_settings settings)
    ),
    queued_endpoints as materialized (
      select jobs.queue_endpoint(wanted.organisation_id, wanted.endpoint_id) from wanted
    )
  select count(*) into queued from queued_endpoints;
  return queued;
end
$$;
comment on function jobs.recover_lost_jobs is 'Queues a job for each endpoint whose deliveries are overdue by a lease time (12 seconds) and that has neither a live lease nor a waiting job. Returns how many.';

create function jobs.follow_clock_back(by interval) returns void
language plpgsql
set search_path = ''
as $$
begin
  update app.deliveries delivery
  set
    next_attempt_at = case
      when delivery.attempts = delivery.attempts_before_round then least(delivery.next_attempt_at, jobs.clock())
      when delivery.last_attempt_at > jobs.clock() then jobs.clock() + (delivery.next_attempt_at - delivery.last_attempt_at)
      else delivery.next_attempt_at
    end,
    lease_until = case
      when delivery.lease_id is not null then least(delivery.lease_until, jobs.clock() + jobs.lease_time())
    end
  where delivery.state = 'pending';
  update graphile_worker._private_jobs job
  set run_at = greatest(job.run_at - by, now())
  where job.is_available and job.run_at > now();
  perform jobs.plan_routines_again();
  perform jobs.follow_clock_back_with_runs();
end
$$;
comment on function jobs.follow_clock_back is 'After the database''s clock was set back: what was due at once stays due at once, and no wait exceeds its retry delay.';

-- The worker computes the next firing from the schedule and the present time. A firing that is due keeps its time.
create function jobs.plan_routines_again() returns void
language sql
set search_path = ''
as $$
  update app.routines routine
  set next_firing_at = case when routine.next_firing_at > jobs.clock() then '-infinity' else routine.next_firing_at end,
    awaits_executor_until = null
  where routine.state = 'active' and routine.deleted_at is null
    and (routine.next_firing_at > jobs.clock() or routine.awaits_executor_until is not null)
$$;
comment on function jobs.plan_routines_again is 'After the database''s clock was set back: next firings are computed again, so that none lies too far ahead.';

create function jobs.follow_clock_back_with_runs() returns void
language plpgsql
set search_path = ''
as $$
begin
  update app.runs run
  set lease_until = least(run.lease_until, now() + interval '30 seconds'), working_since = least(run.working_since, now())
  where run.state = 'running' and (run.lease_until > now() + interval '30 seconds' or run.working_since > now());
  update app.runs run
  set paused_until = triggers.next_month()
  where run.state = 'paused_limit' and run.paused_until > triggers.next_month();
  update app.executors executor set last_seen_at = now() where executor.last_seen_at > now();
  update app.models model set last_served_at = now() where model.last_served_at > now();
end
$$;
comment on function jobs.follow_clock_back_with_runs is 'After the database''s clock was set back: an unrenewed lease ends within 30 seconds, a pause at the end of the month, and a silent executor counts as gone within a minute.';
