/*
 * Leasing runs. An executor leases the oldest run that it can serve, one per conversation. It reads only each
 * conversation's next run (triggers/turns.sql), so the cost does not depend on how many runs have finished or wait.
 */
create function runner.models_by_age(executor uuid, passed_over uuid[]) returns setof text
language sql stable -- without settings of its own, so that it is planned with the settings of runner.next_run
as $$
  select served.model
  from app.executors
  cross join unnest(executors.models) as served (model)
  cross join lateral (
    select conversation.next_since, conversation.next_run_id
    from app.conversations conversation
    where conversation.next_model = served.model
      and conversation.next_run_id is not null
      and conversation.organisation_id <> all (passed_over)
    order by conversation.next_since, conversation.next_run_id
    limit 1
  ) oldest
  where executors.id = executor
  order by oldest.next_since, oldest.next_run_id
$$;
comment on function runner.models_by_age is 'The models of an executor for which runs wait, ordered by their oldest run.';

-- Reads rows in index order until one is free. A plan made with few queued runs, or with old statistics, would sort all
-- rows first.
create function runner.oldest_run(executor uuid, passed_over uuid[], before app.runs) returns app.runs
language plpgsql
set enable_sort = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  since constant timestamptz := coalesce(runs.place(before), 'infinity');
  wanted text;
  oldest app.runs;
begin
  for wanted in select * from runner.models_by_age(executor, passed_over)
  loop
    select run.* into oldest
    from app.conversations conversation
    join app.runs run
      on run.organisation_id = conversation.organisation_id
      and run.id = conversation.next_run_id
      and run.state = 'queued'
      and not run.postponed
    where conversation.next_model = wanted
      and conversation.next_run_id is not null
      and (conversation.next_since, conversation.next_run_id) < (since, coalesce(before.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
      and conversation.organisation_id <> all (passed_over)
    order by conversation.next_since, conversation.next_run_id
    limit 1
    for no key update of run skip locked;
    exit when found;
  end loop;
  return oldest;
end
$$;
comment on function runner.oldest_run is 'The oldest free run for the executor, locked, that is older than before, unless that is null, and without the organisations in passed_over; null if there is none.';

-- Conversations name their next run at the commit only. Until then these are the turns that this transaction has changed.
create function runner.changed_turn(executor uuid, passed_over uuid[], changed app.runs[]) returns app.runs
language plpgsql
set enable_sort = off -- as for triggers.tg_runs__settle_turn
set enable_bitmapscan = off
as $$
declare
  served constant text[] := (select executors.models from app.executors where executors.id = executor);
  conversation record;
  turn record;
  next app.runs;
begin
  for conversation in
    select distinct run.organisation_id, run.conversation_id
    from unnest(changed) run
    where run.organisation_id <> all (passed_over)
  loop
    select * into turn from triggers.next_turn(conversation.organisation_id, conversation.conversation_id);
    if turn.model = any (served) and (next.id is null or (turn.since, turn.run_id) < (runs.place(next), next.id)) then
      select run.* into next
      from app.runs run
      where run.organisation_id = conversation.organisation_id and run.id = turn.run_id;
    end if;
  end loop;
  perform from app.runs run
  where run.organisation_id = next.organisation_id and run.id = next.id and run.state = 'queued' and not run.postponed
  for no key update skip locked;
  return case when found then next end;
end
$$;
comment on function runner.changed_turn is 'The oldest run for the executor whose turn it is in the conversation of one of these runs, locked; null if there is none, or another transaction has locked it.';

create function runner.next_run(executor uuid, passed_over uuid[], changed app.runs[]) returns app.runs
language plpgsql
as $$
declare
  continued constant app.runs := case
    when cardinality(changed) > 0 then runner.changed_turn(executor, passed_over, changed)
  end;
  oldest constant app.runs := runner.oldest_run(executor, passed_over, continued);
begin
  if oldest.id is null then
    return continued;
  end if;
  return oldest;
end
$$;
comment on function runner.next_run is 'The run that the executor should lease next, locked, without the organisations in passed_over; null if there is none.';

-- An organisation whose share other transactions hold is passed over, so that one left open stops no other organisation.
-- Only if no other run is left, the lease waits for executors at work, unless it has locked rows that another call may need.
create function runner.next_run_within_share(
  executor uuid, share integer, alone boolean, changed app.runs[], passed_over uuid[]
) returns app.runs
language plpgsql
as $$
declare
  full_ones constant uuid[] := passed_over || runner.full_organisations(executor, share);
  may_wait constant boolean := pg_current_xact_id_if_assigned() is null;
  busy uuid[] := '{}';
  waits_until timestamptz;
  candidate app.runs;
begin
  loop
    begin
      candidate := runner.next_run(executor, full_ones || busy, changed);
      if candidate.id is null and may_wait and waits_until is null and busy <> '{}' then
        waits_until := clock_timestamp() + interval '2 seconds';
        busy := '{}';
      elsif candidate.id is null or runner.within_share(
        executor, candidate.organisation_id, share, alone, coalesce(clock_timestamp() < waits_until, false)
      ) then
        return candidate;
      else
        busy := busy || candidate.organisation_id;
        raise exception using errcode = 'OA003', message = 'undone'; -- releases the run
      end if;
    exception when sqlstate 'OA003' then null;
    end;
  end loop;
end
$$;
comment on function runner.next_run_within_share is 'The next run for the executor, locked, of an organisation below its share and not in passed_over; null if there is none.';

create function runner.next_servable_run(
  executor uuid, share integer, alone boolean, changed app.runs[], passed_over uuid[]
) returns app.runs
language plpgsql
as $$
declare
  candidate app.runs;
  spare integer := runs.max_changed();
  removed integer;
begin
  loop
    candidate := runner.next_run_within_share(executor, runner.share_of(share), alone, changed, passed_over);
    exit when candidate.id is null;
    removed := runner.remove_unservable(candidate, spare);
    exit when removed = 0;
    spare := spare - removed;
    if spare <= 0 then
      -- Keeps the finished steps, and wakes an executor to continue.
      perform pg_notify('botstead_runs', '');
      return null;
    end if;
  end loop;
  return candidate;
end
$$;
comment on function runner.next_servable_run is 'The next run for the executor, locked, after runs that cannot be served were removed: at most 500 in a call.';

-- Another lease of the conversation may be under way, of a run that had its turn before an older one was resumed.
create function runner.begin_lease(candidate app.runs, lease interval) returns app.runs
language plpgsql
set lock_timeout = '100ms'
as $$
begin
  update app.runs run
  set state = 'running', lease_id = uuidv7(), lease_until = now() + lease
  where run.organisation_id = candidate.organisation_id and run.id = candidate.id
  returning run.* into candidate;
  return candidate;
exception when unique_violation or lock_not_available then -- runs_one_working
  return null;
end
$$;
comment on function runner.begin_lease is 'Leases the run, which the caller has locked. Null if another run of its conversation was leased at this moment.';

-- An executor may leave its transaction open. Until its commit it locks the runs that it changed, but no conversation and
-- no organisation: so it stops neither other leases nor the API.
create function runner.lease_run(
  executor uuid, lease interval default interval '30 seconds', share integer default 1000
) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  alone constant boolean := pg_current_xact_id_if_assigned() is null;
  changed app.runs[];
  passed_over uuid[] := '{}';
  next app.runs;
  leased app.runs;
begin
  perform runner.limit_open_transaction();
  perform runner.require_lease_time(lease);
  perform runner.require(share between 1 and 1000, 'a share is 1 to 1,000 runs');
  perform set_config('caller.organisation_id', '', true);
  changed := runner.end_overdue();
  loop
    next := runner.next_servable_run(executor, share, alone, changed, passed_over);
    if next.id is null then
      return null;
    end if;
    perform set_config('caller.organisation_id', next.organisation_id::text, true);
    leased := runner.begin_lease(next, lease);
    if leased.id is not null then
      perform runner.note_reuse(leased);
      return runner.assignment(leased);
    end if;
    perform set_config('caller.organisation_id', '', true);
    passed_over := passed_over || next.organisation_id;
  end loop;
end
$$;
comment on function runner.lease_run is 'Instead of row-level security: only executor may execute it. Returns the run that the executor leased, or null; the executor needs a heartbeat.';
grant execute on function runner.lease_run to executor;
