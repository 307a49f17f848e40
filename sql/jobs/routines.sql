/*
 * Firing routines. The database says which are due and does the firing, in one transaction each: the run, its message and
 * the next time, or none of them. Only what a schedule means is worked out by the worker, between the two calls: the
 * second does nothing unless the routine still stands as the first has shown it. So a firing is made once, however many
 * workers ask, and what was missed while none did is made up for by one. (docs/decisions.md, "Routines and hooks".)
 */
create function jobs.due_routines(
  passed uuid[] default '{}', -- organisations whose turn is over; without them a process of the version before asks
  out organisation_id uuid, out routine_id uuid, out schedule text, out time_zone text, out firing_at text,
  out clock timestamptz
) returns setof record
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: what the worker needs to work out when routines fire next, and none of their words.
  select due.organisation_id, due.id, due.schedule, due.time_zone, due.next_firing_at::text, jobs.clock()
  from app.routines due
  where due.state = 'active'
    and due.deleted_at is null
    and due.next_firing_at <= jobs.clock()
    and due.organisation_id <> all (passed)
    and not exists (
      select from app.organisations held where held.id = due.organisation_id and held.suspended_at is not null
    )
  order by due.next_firing_at
  limit 100
$$;
comment on function jobs.due_routines is 'Instead of row-level security: of routines that are due, or to be planned (-infinity), what their next firing follows from. At most 100, longest due first, and none of the organisations that are passed over.';

create function jobs.fire_routine(
  organisation uuid, routine uuid, schedule text, time_zone text, firing timestamptz, next timestamptz
) returns text
language plpgsql
security definer
set search_path = ''
set lock_timeout = '1s' -- who writes in its organisation for longer must not hold up the routines of all others
as $$
-- In place of row-level security: one routine, named by its organisation, which is all that is seen from here on.
declare
  due app.routines;
  run uuid;
  reason app.pause_reason;
  refusal app.skip_reason;
begin
  perform set_config('caller.organisation_id', organisation::text, true);
  if not pg_try_advisory_xact_lock(20251123, hashtext(routine::text)) then
    return 'elsewhere'; -- another worker is at it, and nobody waits for it
  end if;
  perform triggers.lock_organisation(organisation); -- before the routine, as whoever deletes its bot
  select held.* into due
  from app.routines held
  where held.organisation_id = organisation
    and held.id = routine
    and held.state = 'active'
    and held.deleted_at is null
    and held.schedule = fire_routine.schedule
    and held.time_zone = fire_routine.time_zone
    and held.next_firing_at = firing
    and held.next_firing_at <= jobs.clock()
  for no key update skip locked;
  if due.id is null then
    return 'elsewhere'; -- another worker was here, or somebody has changed it meanwhile
  end if;
  if next <= jobs.clock() then
    raise exception 'The next firing of a routine lies ahead of it.';
  end if;

  reason := jobs.reason_to_pause(organisation, due.created_by, due.bot_id);
  if reason is null and isfinite(firing) then
    begin
      run := jobs.start_run(organisation, due.created_by, due.bot_id, 'routine', due.message, due.id, firing);
    exception when sqlstate 'OA001' then
      refusal := sqlerrm;
    end;
  end if;
  reason := coalesce(reason, case when next is null then 'schedule_ended'::app.pause_reason end);

  update app.routines held
  set
    state = case when reason is null then 'active' else 'paused' end::app.automation_state,
    pause_reason = reason,
    next_firing_at = case when reason is null then next end,
    last_fired_at = case when run is null then held.last_fired_at else jobs.clock() end,
    last_run_id = coalesce(run, held.last_run_id),
    last_skipped_at = case when refusal is null then held.last_skipped_at else jobs.clock() end,
    last_skip_reason = coalesce(refusal, held.last_skip_reason)
  where held.organisation_id = organisation and held.id = due.id;
  return case
    when reason is not null then 'paused'
    when refusal is not null then 'skipped'
    when run is not null then 'fired'
    else 'planned'
  end;
end
$$;
comment on function jobs.fire_routine is 'Instead of row-level security: one routine, by its organisation and id. Starts the run that is due, or notes why not, and sets the next time; a routine without a next time is paused. Answers fired, skipped, planned, paused or elsewhere.';
