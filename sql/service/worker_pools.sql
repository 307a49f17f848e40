/*
 * Worker pools that are alive. (docs/specification/service.md#health)
 */
create function service.live_worker_pools() returns table (pid integer, connected_at timestamptz, running_jobs bigint)
language sql stable
security definer
set search_path = ''
as $$
  select pool_lock.pid, holder.backend_start, (
    select count(*) from graphile_worker.jobs job where hashtext(job.locked_by) = pool_lock.objid::bigint::bit(32)::integer
  )
  from pg_catalog.pg_locks pool_lock, lateral pg_catalog.pg_stat_get_activity(pool_lock.pid) holder
  where pool_lock.locktype = 'advisory' and pool_lock.classid = 20251120 and pool_lock.objsubid = 2 and pool_lock.granted
    and pool_lock.database = (select oid from pg_catalog.pg_database where datname = current_database())
$$;
comment on function service.live_worker_pools is 'Instead of row-level security: reads no row of an organisation. A worker pool holds an advisory lock while it is alive (jobs.register_worker_pool).';
grant execute on function service.live_worker_pools to operator;
