/*
 * Worker pools that are alive: those whose session has not ended. (docs/specification/service.md#health)
 */
create function service.live_worker_pools()
returns table (pool text, pid integer, connected_at timestamptz, running_jobs bigint)
language sql stable
security definer set search_path = ''
as $$
  select worker_pool.pool, session.pid, session.backend_start, (
    select count(*) from graphile_worker.jobs job where job.locked_by = worker_pool.pool
  )
  from app.worker_pools worker_pool, lateral pg_catalog.pg_stat_get_activity(worker_pool.pid) session
  where session.backend_start = worker_pool.session_started_at
$$;
comment on function service.live_worker_pools is 'Instead of row-level security: reads app.worker_pools only, which has no organisation. A worker pool is alive while its session lives (jobs.register_worker_pool).';
grant execute on function service.live_worker_pools to operator;
