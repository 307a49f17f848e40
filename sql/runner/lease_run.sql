/*
 * Leasing runs. An executor leases the oldest run that it can serve, one per conversation. It reads only each
 * conversation's next run (triggers/turns.sql), so the cost does not depend on how many runs have finished or wait.
 */
create function runner.models_by_age(executor uuid, passed_over uuid[]) returns setof text
language sql stable -- without settings of its own, so that it is planned with those of runner.next_run
as $$
  select served.model
  from app.executors
  cross join unnest(executors.models) as served (model)
  cross join lateral (
    select conversation.next_run_id
    from app.conversations conversation
    where conversation.next_model = served.model
      and conversation.next_run_id is not null
      and conversation.organisation_id <> all (passed_over)
    order by conversation.next_run_id
    limit 1
  ) oldest
  where executors.id = executor
  order by oldest.next_run_id
$$;
comment on function runner.models_by_age is 'The models of an executor for which runs wait, that of the oldest run first.';

-- Reads rows in index order until one is free. A plan made with few queued runs, or with old statistics, would sort all
-- rows first.
create function runner.next_run(executor uuid, passed_over uuid[]) returns app.runs
language plpgsql
set enable_sort = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
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
    where conversation.next_model = wanted
      and conversation.next_run_id is not null
      and conversation.organisation_id <> all (passed_over)
    order by conversation.next_run_id
    limit 1
    for no key update of run skip locked;
    exit when found;
  end loop;
  return oldest;
end
$$;
comment on function runner.next_run is 'The run that the executor should lease next, locked, without the organisations in passed_over; null if there is none.';

create function runner.next_run_within_share(executor uuid, share integer) returns app.runs
language plpgsql
as $$
declare
  candidate app.runs;
  passed_over uuid[] := runner.full_organisations(executor, share);
  -- Another call may need rows that this transaction has locked, such as conversations of released runs: then it must
  -- not wait.
  may_wait boolean := pg_current_xact_id_if_assigned() is null;
begin
  loop
    candidate := runner.next_run(executor, passed_over);
    if candidate.id is null or runner.within_share(executor, candidate.organisation_id, share, may_wait) then
      return candidate;
    end if;
    passed_over := passed_over || candidate.organisation_id;
    may_wait := false;
  end loop;
end
$$;
comment on function runner.next_run_within_share is 'The next run for the executor, locked, of an organisation below its share; null if there is none.';

create function runner.next_servable_run(executor uuid, share integer) returns app.runs
language plpgsql
as $$
declare
  candidate app.runs;
  spare integer := runs.max_changed();
  removed integer;
begin
  loop
    candidate := runner.next_run_within_share(executor, runner.share_of(share));
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

create function runner.lease_run(
  executor uuid, lease interval default interval '30 seconds', share integer default 1000
) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  next app.runs;
begin
  perform runner.require_lease_time(lease);
  perform runner.require(share between 1 and 1000, 'a share is 1 to 1,000 runs');
  perform set_config('caller.organisation_id', '', true);
  perform runner.release_expired();
  perform runner.expire_approvals();
  perform runner.resume_paused();
  set constraints app._700_settle_turn, app._700_settle_turn_again immediate; -- makes released runs available at once
  next := runner.next_servable_run(executor, share);
  if next.id is null then
    return null;
  end if;
  -- An executor may leave its transaction open: until its commit it locks the run, and not the conversation.
  set constraints app._700_settle_turn, app._700_settle_turn_again deferred;

  perform set_config('caller.organisation_id', next.organisation_id::text, true);
  begin
    update app.runs run
    set state = 'running', lease_id = uuidv7(), lease_until = now() + lease
    where run.organisation_id = next.organisation_id and run.id = next.id
    returning run.* into next;
  exception when unique_violation then
    return null; -- an earlier run of the conversation was leased at this moment: runs_one_working
  end;
  return runner.assignment(next);
end
$$;
comment on function runner.lease_run is 'Instead of row-level security: an executor with a heartbeat. Returns the leased run, or null.';
grant execute on function runner.lease_run to executor;
