/*
 * What time decides, seen to by whoever looks for work: leases that ran out, working time that passed the budget, and
 * limits that count anew. Each takes only what nobody holds at this moment; the next who looks takes the rest.
 * (decisions: "Run transitions"; part 3, "Run states".)
 */
-- Working time that passed the budget ends a run even when its executor is silent; a lease that ran out gives the run
-- to others, three times at most: a run that takes its executors down with it must not do so for ever.
create function runner.take_back() returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: only its owner may call it; it ends or frees what time has decided.
  with overdue as (
    select run.organisation_id, run.id,
      run.working + (now() - run.working_since) > run.budget_working as spent,
      run.executors_lost >= 2 as hopeless
    from app.runs run
    where run.state = 'running'
      and (run.lease_until < now() or run.working + (now() - run.working_since) > run.budget_working)
    for no key update skip locked
  )
  update app.runs run
  set
    state = case when overdue.spent or overdue.hopeless then 'failed' else 'queued' end::app.run_state,
    error = case when overdue.spent then 'budget_time' when overdue.hopeless then 'executor_lost' end::app.run_error,
    executors_lost = run.executors_lost + 1
  from overdue
  where run.organisation_id = overdue.organisation_id and run.id = overdue.id
$$;
comment on function runner.take_back is 'Instead of row-level security: only its owner may call it.';

create function runner.at_limit(organisation uuid) returns boolean
language sql stable
set search_path = ''
as $$ select triggers.at_limit(held) from app.organisations held where held.id = organisation $$;
comment on function runner.at_limit is 'Whether the organisation has spent what it may this month, or is suspended.';

-- In the next month what the limit had paused goes on, unless that month's limit is reached as well; and a minute after the pause
-- if the limit was raised just when it began.
create function runner.resume_paused() returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: only its owner may call it; it moves runs by their organisation's own limit.
  with due as (
    select run.organisation_id, run.id, runner.at_limit(run.organisation_id) as again
    from app.runs run
    where run.state = 'paused_limit' and run.paused_until <= now()
    order by run.paused_until
    limit 1000
    for no key update skip locked
  )
  update app.runs run
  set
    state = case when due.again then run.state else 'queued' end,
    paused_until = case when due.again then triggers.next_month() else run.paused_until end
  from due
  where run.organisation_id = due.organisation_id and run.id = due.id
$$;
comment on function runner.resume_paused is 'Instead of row-level security: only its owner may call it.';

create function runner.pause_queued(organisation uuid, at_most integer) returns integer
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: only its owner may call it, for an organisation that has reached its limit.
  with waiting as (
    select run.id
    from app.runs run
    where run.organisation_id = organisation and run.state = 'queued'
    limit at_most
    for no key update skip locked
  ), paused as (
    update app.runs run
    set state = 'paused_limit'
    from waiting
    where run.organisation_id = organisation and run.id = waiting.id
    returning true
  )
  select count(*)::integer from paused
$$;
comment on function runner.pause_queued is 'Instead of row-level security: only its owner may call it. Answers how many it paused.';

-- What may not be worked on leaves the queue: a run of a bot that was deleted while more of them were open than its deletion had
-- time to cancel, and what an organisation that is at its limit has waiting.
create function runner.put_aside(next app.runs, at_most integer) returns integer
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: only its owner may call it, for a run that it has locked.
begin
  if exists (
    select from app.bots bot
    where bot.organisation_id = next.organisation_id and bot.id = next.bot_id and bot.deleted_at is not null
  ) then
    update app.runs run
    set state = 'cancelled'
    where run.organisation_id = next.organisation_id and run.id = next.id;
    return 1;
  end if;
  return case
    when runner.at_limit(next.organisation_id) then runner.pause_queued(next.organisation_id, at_most)
    else 0
  end;
end
$$;
comment on function runner.put_aside is 'Instead of row-level security: only its owner may call it. Answers how many runs it put aside: none when the given one may be worked on.';
