/*
 * Cancelling and resuming runs. (docs/specification/runs.md#states)
 */
create function runs.cancel(organisation uuid, wanted uuid) returns boolean
language plpgsql
as $$
begin
  update app.runs run
  set state = 'cancelled'
  where run.organisation_id = organisation
    and run.id = wanted
    and run.state not in ('completed', 'failed', 'cancelled');
  return found or not exists (
    select from app.runs run
    where run.organisation_id = organisation and run.id = wanted and run.state not in ('completed', 'failed', 'cancelled')
  );
end
$$;
comment on function runs.cancel is 'Cancels the run unless it has ended. False if it stays open, because no policy lets the caller cancel it.';
grant execute on function runs.cancel to tenant;

create function runs.resume(wanted uuid, untrusted boolean) returns boolean
language plpgsql
security definer set search_path = ''
as $$
begin
  update app.runs run
  set state = 'queued', taint = run.taint or untrusted
  where run.organisation_id = caller.organisation_id()
    and run.id = wanted
    and run.person_id = caller.person_id()
    and caller.scope() >= 'write'
    and run.state = 'blocked';
  return found;
end
$$;
comment on function runs.resume is 'Instead of row-level security: run.person_id = caller.person_id() and caller.scope() >= ''write''. Queues it again, tainted if the new message is untrusted; false if it was not blocked.';
grant execute on function runs.resume to tenant;

-- One query per state, each with its own plan: each uses the partial index of its state, and ended runs are not read.
-- Stable, so that all queries have one snapshot and find a run once.
create function runs.open_runs(organisation uuid, bot uuid, person uuid) returns setof uuid
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  open_state app.run_state;
begin
  foreach open_state in array array['running', 'waiting_approval', 'blocked', 'queued', 'paused_limit']::app.run_state[] loop
    return query
    select run.id
    from app.runs run
    where run.organisation_id = organisation
      and run.state = open_state
      and (bot is null or run.bot_id = bot)
      and (person is null or run.person_id = person);
  end loop;
end
$$;
comment on function runs.open_runs is 'The runs that have not ended, of a bot, of a person, or of both; null for any. Running ones come first.';

create function runs.max_changed() returns integer
language sql immutable
as $$ select 500 $$;
comment on function runs.max_changed is 'How many runs a statement ends, pauses or continues at most: so it stays within a time-out of 3 s on a machine that takes 2 ms for each.';

create function runs.cancel_runs_of_bot(organisation uuid, bot uuid, at_most integer) returns integer
language plpgsql
as $$
declare
  cancelled integer;
begin
  update app.runs run
  set state = 'cancelled'
  where run.organisation_id = organisation
    and run.id = any (array(select runs.open_runs(organisation, bot, null) limit at_most))
    and run.state not in ('completed', 'failed', 'cancelled');
  get diagnostics cancelled = row_count;
  return cancelled;
end
$$;
comment on function runs.cancel_runs_of_bot is 'Cancels at most this many open runs of a bot. Returns how many; if that is the maximum, there may be more.';
