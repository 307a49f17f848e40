/*
 * Recovery of lost jobs. A killed worker leaves its jobs locked, and the queue unlocks them only after 4 hours. Each
 * worker pool therefore registers a session: once the session has ended, the pool is gone and its jobs are released. Any
 * login could take an advisory lock in its place, but none can have its session. An endpoint with due deliveries, no live
 * lease and no job gets a new job. So an emptied job table loses no delivery.
 * (docs/specification/deliveries.md#leasing)
 */
create function jobs.register_worker_pool(pool text, delivery_channel text default null) returns void
language sql
security definer set search_path = ''
as $$
  insert into app.worker_pools (pool, pid, session_started_at)
  select register_worker_pool.pool, session.pid, session.backend_start
  from pg_catalog.pg_stat_get_activity(pg_backend_pid()) session
  on conflict (pool) do update set pid = excluded.pid, session_started_at = excluded.session_started_at
$$;
comment on function jobs.register_worker_pool is 'Instead of row-level security: only worker may execute it. Writes only which session shows a worker pool alive. Marks the pool as alive until the calling session ends. delivery_channel: unused, passed by workers of version 0.3.';
grant execute on function jobs.register_worker_pool to worker;

-- A worker of version 0.2.0 holds an advisory lock instead. Once its session ends, it opens another and registers that.
select pg_terminate_backend(lock.pid)
from pg_catalog.pg_locks lock, lateral pg_catalog.pg_stat_get_activity(lock.pid) session
where lock.locktype = 'advisory' and lock.classid = 20251120 and lock.objsubid = 2 and lock.granted
  and lock.database = (select oid from pg_catalog.pg_database where datname = current_database())
  and session.usesysid = 'worker'::regrole;

create function jobs.run_maintenance(out freed integer, out requeued integer)
language plpgsql
security definer set search_path = ''
as $$
declare
  previous_run_at timestamptz;
begin
  select maintenance.last_run_at into previous_run_at from app.maintenance for update skip locked;
  if previous_run_at is null then
    freed := 0;
    requeued := 0;
    return; -- another worker runs maintenance
  end if;
  update app.maintenance set last_run_at = times.clock();
  if times.clock() < previous_run_at - interval '1 second' then
    perform jobs.follow_clock_back(previous_run_at - times.clock());
  end if;
  delete from app.worker_pools gone
  where gone.pool not in (select alive.pool from service.live_worker_pools() alive);
  freed := jobs.release_orphaned_jobs();
  -- A worker starts a fetched job or returns it within 2 seconds (src/worker/jobs.ts), so after 5 seconds none is coming.
  requeued := jobs.recover_lost_jobs(interval '5 seconds');
  perform jobs.queue_audit_streams();

  perform jobs.queue_mail(mail.organisation_id, mail.id)
  from app.mails mail
  where mail.sent_at is null
    and not exists (select from graphile_worker.jobs job where job.key = 'mail:' || mail.id::text);
  perform jobs.expedite_mails();
  perform jobs.end_refused_mails();
end
$$;
comment on function jobs.run_maintenance is 'Instead of row-level security: only worker may execute it. Moves jobs, and reads rows only where something is due. Only one of concurrent calls works. Returns how many jobs were released and how many endpoints were queued again.';
grant execute on function jobs.run_maintenance to worker;

create function jobs.release_orphaned_jobs() returns integer
language plpgsql
as $$
declare
  dead text[];
  freed integer;
begin
  -- A pool registers within moments of its first job, hence the 5 seconds. A job locked in the future was locked before
  -- the clock was set back.
  select coalesce(array_agg(pool), '{}') into dead
  from (
    select job.locked_by as pool
    from graphile_worker.jobs job
    where job.locked_by is not null
    group by job.locked_by
    having max(job.locked_at) not between now() - interval '5 seconds' and now() + interval '5 seconds'
  ) busy
  where busy.pool not in (select alive.pool from app.worker_pools alive);
  select count(*) into freed from graphile_worker.jobs job where job.locked_by = any (dead);
  perform graphile_worker.force_unlock_workers(dead);
  return freed;
end
$$;
comment on function jobs.release_orphaned_jobs is 'Unlocks the jobs of worker pools that are gone. Returns how many.';

-- Skips from endpoint to endpoint along the index of pending deliveries: one probe each, however many deliveries wait.
create view jobs.waiting_endpoints as
with recursive waiting as (
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
)
select waiting.organisation_id, waiting.endpoint_id, waiting.next_attempt_at from waiting;
comment on view jobs.waiting_endpoints is 'Endpoints with pending deliveries, and when the first of them is due.';

create view jobs.endpoints_without_job as
with waiting_jobs as materialized (
  select job.payload ->> 'endpointId' as endpoint
  from graphile_worker._private_jobs job
  where job.is_available and job.priority in (0, 1) and job.run_at <= now()
)
select waiting.organisation_id, waiting.endpoint_id, waiting.next_attempt_at, endpoint.degraded_since is not null as degraded
from jobs.waiting_endpoints waiting
join app.webhook_endpoints endpoint
  on endpoint.organisation_id = waiting.organisation_id
  and endpoint.id = waiting.endpoint_id
  and (endpoint.state <> 'paused' or endpoint.deleted_at is not null)
where waiting.next_attempt_at < times.clock()
  and not exists (
    select
    from app.deliveries leased
    where leased.organisation_id = waiting.organisation_id
      and leased.endpoint_id = waiting.endpoint_id
      and leased.lease_id is not null
      and leased.lease_until > times.clock()
  )
  and waiting.endpoint_id::text not in (select job.endpoint from waiting_jobs job where job.endpoint is not null);
comment on view jobs.endpoints_without_job is 'Endpoints with due deliveries that have neither a live lease nor a waiting job, and since when the first is due.';

-- Takes only as many degraded endpoints as may have attempts under way, in random order, so that none always comes last.
create function jobs.recover_lost_jobs(overdue interval) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan -- as for jobs.lease_deliveries
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  queued integer;
begin
  perform jobs.queue_endpoint(lost.organisation_id, lost.endpoint_id)
  from (
    select without_job.*, row_number() over (partition by without_job.degraded order by random()) as place
    from jobs.endpoints_without_job without_job
    where without_job.next_attempt_at < times.clock() - overdue
  ) lost
  where not lost.degraded
    or lost.place <= (select settings.delivery_slots / 2 from app.service_settings settings);
  get diagnostics queued = row_count;
  return queued;
end
$$;
comment on function jobs.recover_lost_jobs is 'Queues a job for each of jobs.endpoints_without_job that is due for longer than overdue. Returns how many.';
