/*
 * Locks by name, until the end of the transaction: each is a row of app.locks. Any login could take an advisory lock and
 * stop the service, but only these functions reach the table. (docs/decisions/0009-locks.md)
 */
create function service.lock(lock_name text) returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform from app.locks where locks.name = lock_name for update;
  if not found then
    insert into app.locks (name) values (lock_name) on conflict do nothing;
    perform from app.locks where locks.name = lock_name for update;
  end if;
end
$$;
comment on function service.lock is 'Instead of row-level security: reads and writes app.locks only, which has no organisation. Waits for other transactions with this lock, as long as the caller''s lock_timeout.';
grant execute on function service.lock to tenant;

create function service.lock_shared(lock_name text) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform from app.locks where locks.name = lock_name for share;
  if not found then
    insert into app.locks (name) values (lock_name) on conflict do nothing;
    perform from app.locks where locks.name = lock_name for share;
  end if;
end
$$;
comment on function service.lock_shared is 'As service.lock, but several transactions may have the lock in shared mode at once. For definer functions.';

create function service.try_lock(lock_name text) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  perform from app.locks where locks.name = lock_name for update skip locked;
  return found;
end
$$;
comment on function service.try_lock is 'As service.lock without waiting: false if another transaction has the lock, or if no transaction has waited for it yet. For definer functions.';

create function service.try_lock_shared(lock_name text) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  perform from app.locks where locks.name = lock_name for share skip locked;
  return found;
end
$$;
comment on function service.try_lock_shared is 'As service.lock_shared without waiting: see service.try_lock. For definer functions.';

create function service.lock_soon(lock_name text) returns boolean
language plpgsql
set search_path = ''
set lock_timeout = '2s'
as $$
begin
  perform service.lock(lock_name);
  return true;
exception when lock_not_available then
  return false;
end
$$;
comment on function service.lock_soon is 'As service.lock, but false if another transaction has the lock for 2 seconds. For definer functions.';
