/*
 * What an executor does to its run. Budgets are held here, whatever an executor believes: the step that would pass one
 * ends the run. (Part 2, "Run": 50 steps, 2 euros, 10 minutes.)
 */
create function runner.step(
  organisation uuid, run uuid, lease uuid,
  kind text, input_tokens integer default 0, output_tokens integer default 0, spend_micro_cents bigint default 0
) returns app.run_state
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
declare
  working app.runs := runner.held(organisation, run, lease);
  passed app.run_error;
begin
  if working.steps < working.budget_steps then
    insert into app.steps (organisation_id, run_id, number, kind, input_tokens, output_tokens, spend_micro_cents)
    values (organisation, run, working.steps + 1, kind, input_tokens, output_tokens, spend_micro_cents);
    working.steps := working.steps + 1;
  else
    passed := 'budget_steps'; -- one step too many is not recorded as one, but what it cost is
  end if;
  working.spend_micro_cents := working.spend_micro_cents + spend_micro_cents;
  if working.spend_micro_cents > working.budget_micro_cents then
    passed := 'budget_spend';
  end if;

  insert into app.monthly_usage as usage (organisation_id, month, spend_micro_cents)
  values (organisation, date_trunc('month', now() at time zone 'UTC')::date, step.spend_micro_cents)
  on conflict (organisation_id, month)
  do update set spend_micro_cents = usage.spend_micro_cents + excluded.spend_micro_cents;
  update app.runs held
  set
    steps = working.steps,
    spend_micro_cents = working.spend_micro_cents,
    error = passed,
    state = case when passed is null then 'running' else 'failed' end::app.run_state
  where held.organisation_id = organisation and held.id = run;
  if passed is not null then
    return 'failed';
  end if;
  return runner.within_time(working);
end
$$;
comment on function runner.step is 'Instead of row-level security: the lease of the run. Answers the state the run is in afterwards: running, or failed by a budget.';

create function runner.within_time(working app.runs) returns app.run_state
language plpgsql
set search_path = ''
as $$
begin
  if working.working + (clock_timestamp() - working.working_since) <= working.budget_working then
    return 'running';
  end if;
  update app.runs held
  set state = 'failed', error = 'budget_time'
  where held.organisation_id = working.organisation_id and held.id = working.id;
  return 'failed';
end
$$;
comment on function runner.within_time is 'Fails the run when it has worked longer than it may.';

create function runner.finish(organisation uuid, run uuid, lease uuid, answer text, memories uuid[] default '{}')
returns app.run_state
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
declare
  working app.runs := runner.held(organisation, run, lease);
begin
  if runner.within_time(working) = 'failed' then
    return 'failed';
  end if;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text, memory_ids)
  values (organisation, working.conversation_id, run, 'bot', answer, memories);
  update app.runs held set state = 'completed' where held.organisation_id = organisation and held.id = run;
  return 'completed';
end
$$;
comment on function runner.finish is 'Instead of row-level security: the lease of the run. Ends it with the bot''s answer.';

create function runner.fail(organisation uuid, run uuid, lease uuid, code app.run_error)
returns app.run_state
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
begin
  perform runner.held(organisation, run, lease);
  update app.runs held set state = 'failed', error = code where held.organisation_id = organisation and held.id = run;
  return 'failed';
end
$$;
comment on function runner.fail is 'Instead of row-level security: the lease of the run. Ends it without an answer, for one of the fixed reasons.';
