/*
 * Sessions of executors. The login of an executor has time-outs, but a session can set its own to 0. So a worker ends
 * sessions that harm others. A transaction left open holds rows, and a long one holds back vacuum and the NOTIFY queue.
 * Many locks exhaust the shared lock table. Queue and lock table belong to the cluster, so sessions in its other databases
 * count as well.
 */
-- owner is a member of each executor's login, to end its sessions, and superusers are members of every role.
create function jobs.is_executor(login oid) returns boolean
language sql stable
as $$ select pg_has_role(login, 'executor', 'usage') and not pg_has_role(login, 'owner', 'usage') $$;
comment on function jobs.is_executor is 'Whether the login belongs to an executor, also to the built-in executors.';

create function jobs.end_overlong_sessions(
  longest interval default '30 seconds', longest_idle interval default '2 seconds'
) returns integer
language sql
security definer set search_path = ''
as $$
  with many_locks as (
    select lock.pid from pg_catalog.pg_lock_status() lock group by lock.pid having count(*) > 1000
  )
  select count(*) filter (where pg_catalog.pg_terminate_backend(session.pid))::integer
  from pg_catalog.pg_stat_get_activity(null) session
  where session.usesysid <> 'runner'::regrole
    and jobs.is_executor(session.usesysid) and pg_has_role(session.usesysid, 'usage')
    and (
      session.xact_start < clock_timestamp() - longest
      or session.xact_start is not null and session.wait_event_type = 'Client' -- also inside a pipeline or an answer
        and session.state_change < clock_timestamp() - longest_idle
      or session.xact_start is not null and pg_notification_queue_usage() > 0.1
      or session.pid in (select many_locks.pid from many_locks)
    )
$$;
comment on function jobs.end_overlong_sessions is 'Instead of row-level security: only worker may execute it. Reads no row of an organisation. Ends executors'' sessions with a longer transaction, with one that waits longer for its client, with more than 1,000 locks, or with any transaction while the NOTIFY queue is over a tenth full. Returns how many.';
grant execute on function jobs.end_overlong_sessions to worker;

-- When the lock table is full, a session can read only the part of the catalogue that it has cached.
create function jobs.cache_executors() returns integer
language sql
security definer set search_path = ''
as $$
  select count(*) filter (where jobs.is_executor(login.member) and pg_has_role(login.member, 'usage'))::integer
  from pg_catalog.pg_auth_members login
  where login.roleid = 'executor'::regrole
$$;
comment on function jobs.cache_executors is 'Instead of row-level security: only worker may execute it. Reads no row of an organisation. Caches the memberships of executors in this session, so that jobs.end_overlong_sessions works while the lock table is full. Returns how many logins there are.';
grant execute on function jobs.cache_executors to worker;
