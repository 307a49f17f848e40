/*
 * Claiming. An executor takes the oldest run it can serve, one a conversation, for a lease; time that ran out, and the
 * month's limit, are seen to on the way. (decisions: "Run transitions"; part 3, "Run states".)
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
as $$
  select coalesce(triggers.spent_this_month(held.id) >= held.monthly_spend_limit_micro_cents, false)
  from app.organisations held
  where held.id = organisation
$$;
comment on function runner.at_limit is 'Whether the organisation has spent what it may this month.';

-- In the next month, or with a higher limit, what the limit had paused goes on.
create function runner.resume_paused() returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: only its owner may call it; it moves runs by their organisation's own limit.
  update app.runs run
  set state = 'queued'
  from (
    select distinct paused.organisation_id from app.runs paused where paused.state = 'paused_limit'
  ) held
  where run.organisation_id = held.organisation_id
    and run.state = 'paused_limit'
    and not runner.at_limit(held.organisation_id)
$$;
comment on function runner.resume_paused is 'Instead of row-level security: only its owner may call it.';

-- The oldest queued run whose conversation is free and whose bot has one of the executor's models.
create function runner.next_run(executor uuid) returns app.runs
language sql
set search_path = ''
as $$
  select run
  from app.runs run
  join app.bots bot on bot.organisation_id = run.organisation_id and bot.id = run.bot_id
  where run.state = 'queued'
    and bot.model in (select unnest(held.models) from app.executors held where held.id = executor)
    and not exists (
      select from app.runs other
      where other.organisation_id = run.organisation_id
        and other.conversation_id = run.conversation_id
        and (other.state in ('running', 'waiting_approval') or (other.state = 'queued' and other.id < run.id))
    )
  order by run.id
  limit 1
  for no key update of run skip locked
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
begin
  perform runner.take_back();
  perform runner.expire_approvals();
  perform runner.resume_paused();
  loop
    claimed := runner.next_run(executor);
    exit when claimed.id is null or not runner.at_limit(claimed.organisation_id);
    update app.runs run
    set state = 'paused_limit'
    where run.organisation_id = claimed.organisation_id and run.state = 'queued';
  end loop;
  if claimed.id is null then
    return null;
  end if;

  perform set_config('caller.organisation_id', claimed.organisation_id::text, true);
  update app.runs run
  set state = 'running', lease_id = uuidv7(), lease_until = now() + lease
  where run.organisation_id = claimed.organisation_id and run.id = claimed.id
  returning run.* into claimed;
  return runner.assignment(claimed);
exception when unique_violation then
  return null; -- another executor was quicker in this conversation: runs_one_working
end
$$;
comment on function runner.claim is 'Instead of row-level security: an executor that said it lives. Answers the run to work on, or null.';

create function runner.assignment(run app.runs) returns json
language sql stable
set search_path = ''
as $$
  select json_build_object(
    'organisationId', run.organisation_id,
    'runId', run.id,
    'leaseId', run.lease_id,
    'leaseUntil', rows.time(run.lease_until),
    'taint', run.taint,
    'steps', run.steps,
    'model', bot.model,
    'instructions', bot.instructions,
    'message', (
      select message.text
      from app.messages message
      where message.organisation_id = run.organisation_id and message.run_id = run.id and message.author = 'person'
      order by message.id
      limit 1
    ),
    'approvals', runner.approvals(run)
  )
  from app.bots bot
  where bot.organisation_id = run.organisation_id and bot.id = run.bot_id
$$;
comment on function runner.assignment is 'What an executor is told of the run it has claimed.';
