/*
 * Claiming. An executor takes the oldest run it can serve, one a conversation, for a lease. What it looks at is the
 * conversations' next runs (triggers/turns.sql), so a claim costs the same however many runs have finished or wait.
 */
-- Rows are to be met in the order of the index until one can be had. A plan made while little is queued, or for statistics
-- of that time, would sort all there is first.
create function runner.next_run(executor uuid) returns app.runs
language plpgsql
set search_path = ''
set enable_sort = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  wanted text;
  found_run app.runs;
begin
  for wanted in
    select served.model
    from app.executors held
    cross join unnest(held.models) as served (model)
    cross join lateral (
      select conversation.next_run_id
      from app.conversations conversation
      where conversation.next_model = served.model and conversation.next_run_id is not null
      order by conversation.next_run_id
      limit 1
    ) oldest
    where held.id = executor
    order by oldest.next_run_id
  loop
    select run.* into found_run
    from app.conversations conversation
    join app.runs run
      on run.organisation_id = conversation.organisation_id
      and run.id = conversation.next_run_id
      and run.state = 'queued'
    where conversation.next_model = wanted and conversation.next_run_id is not null
    order by conversation.next_run_id
    limit 1
    for no key update of run skip locked;
    exit when found;
  end loop;
  return found_run;
end
$$;
comment on function runner.next_run is 'What an executor is to take next, locked; null when there is nothing for it.';

create function runner.claim(executor uuid, lease interval default interval '30 seconds') returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an executor that lives, and the oldest run that one of its models may take. From
-- there on it sees no other organisation.
declare
  claimed app.runs;
  spare integer := 500;
  put_aside integer;
begin
  perform set_config('caller.organisation_id', '', true);
  perform runner.take_back();
  perform runner.expire_approvals();
  perform runner.resume_paused();
  set constraints app._700_settle_turn, app._700_settle_turn_again immediate; -- what was freed may be taken at once
  loop
    claimed := runner.next_run(executor);
    exit when claimed.id is null;
    put_aside := runner.put_aside(claimed, spare);
    exit when put_aside = 0;
    spare := spare - put_aside;
    if spare <= 0 then
      -- What is done is kept, however much is left: whoever is woken goes on with it.
      perform pg_notify('botstead_runs', bot.model) from app.bots bot
      where bot.organisation_id = claimed.organisation_id and bot.id = claimed.bot_id;
      return null;
    end if;
  end loop;
  if claimed.id is null then
    return null;
  end if;

  perform set_config('caller.organisation_id', claimed.organisation_id::text, true);
  begin
    update app.runs run
    set state = 'running', lease_id = uuidv7(), lease_until = now() + lease
    where run.organisation_id = claimed.organisation_id and run.id = claimed.id
    returning run.* into claimed;
  exception when unique_violation then
    return null; -- an earlier run came back and was taken at this moment: runs_one_working
  end;
  return runner.assignment(claimed);
end
$$;
comment on function runner.claim is 'Instead of row-level security: an executor that said it lives. Answers the run to work on, or null.';
