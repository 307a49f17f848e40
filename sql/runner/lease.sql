/*
 * Executors and leases. An executor says every few seconds that it lives and which models it serves. It claims a run
 * for a lease that it renews; a lease that ran out is taken back, and its holder can write nothing any more.
 * (decisions: "Run transitions"; part 3, "Run states".)
 */
create function runner.beat(executor uuid, name text, models text[]) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: an executor writes of itself alone.
  insert into app.executors (id, name, models) values (executor, name, models)
  on conflict (id) do update set name = excluded.name, models = excluded.models, last_seen_at = now()
$$;
comment on function runner.beat is 'Instead of row-level security: an executor says of itself that it lives. Silent for a minute counts as gone.';

create function runner.leave(executor uuid) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: an executor takes back its own word.
  delete from app.executors held where held.id = executor
$$;
comment on function runner.leave is 'Instead of row-level security: an executor that stops says so of itself.';

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

-- The month's limit pauses what is queued and, in the next month or with a higher limit, lets it go on.
create function runner.hold_to_limits() returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: only its owner may call it; it moves runs by their organisation's own limit.
  update app.runs run
  set state = case when run.state = 'queued' then 'paused_limit' else 'queued' end::app.run_state
  from app.organisations organisation
  where organisation.id = run.organisation_id
    and run.state in ('queued', 'paused_limit')
    and (run.state = 'queued') = coalesce(
      triggers.spent_this_month(organisation.id) >= organisation.monthly_spend_limit_micro_cents, false
    )
$$;
comment on function runner.hold_to_limits is 'Instead of row-level security: only its owner may call it.';

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
  perform runner.hold_to_limits();
  select run.* into claimed
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
  for no key update of run skip locked;
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
    )
  )
  from app.bots bot
  where bot.organisation_id = run.organisation_id and bot.id = run.bot_id
$$;
comment on function runner.assignment is 'What an executor is told of the run it has claimed.';

create function runner.held(organisation uuid, run uuid, lease uuid) returns app.runs
language plpgsql
set search_path = ''
as $$
declare
  held app.runs;
begin
  perform set_config('caller.organisation_id', organisation::text, true);
  select working.* into held
  from app.runs working
  where working.organisation_id = organisation and working.id = run and working.lease_id = lease
  for no key update;
  if held.id is null then
    raise exception using errcode = 'OA002', message = 'lease_lost';
  end if;
  return held;
end
$$;
comment on function runner.held is 'The run under this lease, locked; lease_lost (OA002) when the run ended or went to another.';

create function runner.renew(organisation uuid, run uuid, lease uuid, until interval default interval '30 seconds')
returns void
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
begin
  perform runner.held(organisation, run, lease);
  update app.runs working
  set lease_until = now() + until
  where working.organisation_id = organisation and working.id = run;
end
$$;
comment on function runner.renew is 'Instead of row-level security: the lease of the run.';
