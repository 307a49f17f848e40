/*
 * Firing routines. The worker lists due routines, computes their next firing from the schedule, and calls
 * fire_routine. That starts the run, writes its message and sets the next firing in one transaction. It does nothing if
 * the routine has changed since: so each firing is made once, however many workers call. Firings missed during an outage
 * are made up for by one. (docs/decisions/0020-routines-and-hooks.md)
 */
create function jobs.due_routines(
  passed uuid[] default '{}', -- organisations to skip; a worker of the previous version passes none
  out organisation_id uuid, out routine_id uuid, out schedule text, out time_zone text, out firing_at text,
  out clock timestamptz
) returns setof record
language sql stable
security definer set search_path = ''
as $$
  select due.organisation_id, due.id, due.schedule, due.time_zone, due.next_firing_at::text, times.clock()
  from app.routines due
  where due.state = 'active'
    and due.deleted_at is null
    and due.next_firing_at <= times.clock()
    and (due.awaits_executor_until is null or due.awaits_executor_until <= times.clock())
    and due.organisation_id <> all (passed)
    and not exists (
      select from app.organisations organisation
      where organisation.id = due.organisation_id and organisation.suspended_at is not null
    )
  order by due.next_firing_at
  limit 100
$$;
comment on function jobs.due_routines is 'Instead of row-level security: only worker may execute it. Schedules of routines that are due or not yet planned (firing_at is -infinity). At most 100, longest due first, without the organisations in passed.';
grant execute on function jobs.due_routines to worker;

-- After the clock was set forward every executor seems silent until its next heartbeat, within 10 seconds. So the first
-- refusal delays the firing, and only a second one skips it.
create function jobs.await_executor(due app.routines) returns boolean
language plpgsql
as $$
begin
  if due.awaits_executor_until is not null then
    return false;
  end if;
  update app.routines routine
  set awaits_executor_until = times.clock() + interval '15 seconds'
  where routine.organisation_id = due.organisation_id and routine.id = due.id;
  return true;
end
$$;
comment on function jobs.await_executor is 'Delays the firing by 15 seconds to wait for an executor. Returns false if it was delayed already.';

create function jobs.lock_due_routine(
  organisation uuid, routine uuid, schedule text, time_zone text, firing timestamptz
) returns app.routines
language sql
as $$
  select routines.*
  from app.routines
  where routines.organisation_id = organisation
    and routines.id = routine
    and routines.state = 'active'
    and routines.deleted_at is null
    and routines.schedule = lock_due_routine.schedule
    and routines.time_zone = lock_due_routine.time_zone
    and routines.next_firing_at = firing
    and routines.next_firing_at <= times.clock()
  for no key update skip locked
$$;
comment on function jobs.lock_due_routine is 'The routine, locked; null if another worker fired or changed it first.';

create function jobs.record_firing(
  due app.routines, run uuid, reason app.pause_reason, refusal app.skip_reason, next timestamptz
) returns text
language sql
as $$
  update app.routines
  set
    state = case when verdict.reason is null then 'active' else 'paused' end::app.automation_state,
    pause_reason = verdict.reason,
    next_firing_at = case when verdict.reason is null then next end,
    awaits_executor_until = null,
    last_fired_at = case when run is null then routines.last_fired_at else times.clock() end,
    last_run_id = coalesce(run, routines.last_run_id),
    last_skipped_at = case when refusal is null then routines.last_skipped_at else times.clock() end,
    last_skip_reason = coalesce(refusal, routines.last_skip_reason)
  from (values (coalesce(reason, case when next is null then 'schedule_ended'::app.pause_reason end))) verdict (reason)
  where routines.organisation_id = due.organisation_id and routines.id = due.id
  returning case
    when verdict.reason is not null then 'paused'
    when refusal is not null then 'skipped'
    when run is not null then 'fired'
    else 'planned'
  end
$$;
comment on function jobs.record_firing is 'Sets the next firing, or pauses the routine for the reason. Returns what jobs.fire_routine returns.';

create function jobs.fire_routine(
  organisation uuid, routine uuid, schedule text, time_zone text, firing timestamptz, next timestamptz
) returns text
language plpgsql
security definer set search_path = ''
set lock_timeout = '1s' -- a long transaction in one organisation must not delay the routines of all others
as $$
declare
  due app.routines;
  run uuid;
  reason app.pause_reason;
  refusal app.skip_reason;
begin
  perform set_config('caller.organisation_id', organisation::text, true);
  perform limits.lock_organisation(organisation); -- before the routine, in the lock order of deleting its bot
  due := jobs.lock_due_routine(organisation, routine, schedule, time_zone, firing);
  if due.id is null then
    return 'elsewhere';
  elsif next <= times.clock() then
    raise exception 'The next firing must lie in the future. Compute it from the current time.';
  end if;
  reason := runs.reason_to_pause(organisation, due.created_by, due.bot_id);
  if reason is null and isfinite(firing) then
    begin
      run := runs.start(organisation, due.created_by, due.bot_id, 'routine', due.message, due.id, firing);
    exception when sqlstate 'OA001' then
      refusal := sqlerrm;
    end;
    if refusal = 'unavailable' and jobs.await_executor(due) then
      return 'waiting';
    end if;
  end if;
  return jobs.record_firing(due, run, reason, refusal, next);
end
$$;
comment on function jobs.fire_routine is 'Instead of row-level security: only worker may execute it. One routine, by its organisation and id. Starts the run that is due, or records why not, and sets the next firing; pauses a routine without a next firing. Returns fired, skipped, waiting, planned, paused or elsewhere.';
grant execute on function jobs.fire_routine to worker;
