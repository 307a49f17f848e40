/*
 * Executors that leave a transaction open after a call. Nothing else may wait for its locks longer than a moment.
 * (docs/decisions/0015-runs-and-executors.md)
 */
-- The setting ends with the transaction, so it concerns only an executor that leaves one open after a call. Then the
-- session ends, and its locks with it.
create function runner.limit_open_transaction() returns void
language sql
as $$ select set_config('idle_in_transaction_session_timeout', '1s', true) $$;
comment on function runner.limit_open_transaction is 'Ends the session if its transaction waits for the client for a second. Every function of executors that locks a row calls it.';

-- Every session of an executor counts that may hold a lease which no other transaction sees yet. Sessions whose state is
-- hidden from owner count too. A session counts once, so only its first call may rely on the number (alone).
create function runner.other_sessions(at_work boolean default false) returns integer
language sql volatile
as $$
  select count(*)::integer
  from (select pg_stat_clear_snapshot()) fresh
  cross join lateral pg_stat_get_activity(null) session
  where session.datid = (select own.datid from pg_stat_get_activity(pg_backend_pid()) own)
    and session.pid <> pg_backend_pid()
    and session.state is distinct from 'idle'
    and not (at_work and session.state is not distinct from 'idle in transaction')
    and jobs.is_executor(session.usesysid)
$$;
comment on function runner.other_sessions is 'How many other sessions of executors may be inside a call: an upper bound. With at_work, without sessions that wait for their client.';

-- A transaction left open ends within a second (runner.limit_open_transaction). Nothing waits for it, unless executors at
-- work may have the lock. An organisation that was moved here has no lock yet.
create function runner.lock_of_busy(lock_name text, waits boolean default true) returns boolean
language plpgsql
as $$
begin
  if service.try_lock(lock_name) then
    return true;
  elsif not exists (select from app.locks where locks.name = lock_name)
    or waits and runner.other_sessions(at_work => true) > 0 then
    return service.lock_soon(lock_name);
  end if;
  return service.try_lock(lock_name); -- the transaction that had the lock may have ended meanwhile
end
$$;
comment on function runner.lock_of_busy is 'Takes a lock, and waits for executors at work at most 2 seconds. False if another transaction has it.';
