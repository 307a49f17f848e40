/*
 * Steps. The database enforces budgets and the monthly limit, independent of the executor: the step that exceeds one
 * ends the work. (docs/specification/executors.md#steps)
 */
create function runner.over_time(working app.runs) returns boolean
language sql stable
as $$ select working.working + (clock_timestamp() - working.working_since) > working.budget_working $$;
comment on function runner.over_time is 'Whether a run has exceeded its working time.';

-- Work under way ends only beyond the limit; new work does not start at the limit (triggers.at_limit). The sum itself is
-- written at the commit (triggers.tg_runs__add_spending). With a limit, steps of an organisation answer one after another.
create function runner.beyond_limit(organisation uuid, micro_cents bigint) returns boolean
language plpgsql
as $$
declare
  -- Asked only if needed, and not by "and micro_cents > 0": a plan for the value 0 reads nothing and so seems to be cheaper
  -- than any kept plan, and each step would be planned again.
  maximum constant bigint := case when micro_cents > 0 then (
    select maximums.maximum from limits.maximums
    where maximums.organisation_id = organisation and maximums.name = 'monthlySpendMicroCents'
  ) end;
  ignored boolean := maximum is not null and runner.lock_of_busy('spending of ' || organisation); -- the commit decides
begin
  return exists (
    select from app.organisations
    where organisations.id = organisation and organisations.suspended_at is not null
  ) or micro_cents + coalesce((
    select usage.spend_micro_cents from app.monthly_usage usage
    where usage.organisation_id = organisation and usage.month = limits.this_month()
  ), 0) > maximum;
end
$$;
comment on function runner.beyond_limit is 'Whether a step of this cost exceeds the organisation''s limit of the month, or the organisation is suspended.';

create function runner.end_step(working app.runs, passed app.run_error, beyond_limit boolean) returns app.run_state
language sql
as $$
  update app.runs
  set
    steps = working.steps,
    spend_micro_cents = working.spend_micro_cents,
    error = passed,
    state = case
      when passed is not null then 'failed'
      when beyond_limit then 'paused_limit'
      else 'running'
    end::app.run_state
  where runs.organisation_id = working.organisation_id and runs.id = working.id
  returning runs.state
$$;
comment on function runner.end_step is 'Writes the run after a step: failed by the passed budget, paused beyond the monthly limit, or running.';

create function runner.charge_step(
  working app.runs, kind text, input_tokens integer, output_tokens integer, spend_micro_cents bigint, model text,
  key text default null
) returns app.run_state
language plpgsql
as $$
declare
  recorded boolean := working.steps < working.budget_steps;
  passed app.run_error;
  beyond_limit boolean;
begin
  perform runner.require_countable(kind, input_tokens, output_tokens, spend_micro_cents);
  if model is not null then
    spend_micro_cents := spend_micro_cents + runner.price_of(model, input_tokens, output_tokens);
  end if;
  if recorded then
    insert into app.steps (organisation_id, run_id, number, kind, input_tokens, output_tokens, spend_micro_cents, key)
    values (
      working.organisation_id, working.id, working.steps + 1, kind, input_tokens, output_tokens, spend_micro_cents, key
    );
  end if;
  working.steps := working.steps + recorded::integer;
  working.spend_micro_cents := working.spend_micro_cents + spend_micro_cents;
  beyond_limit := runner.beyond_limit(working.organisation_id, spend_micro_cents);
  passed := case
    when working.spend_micro_cents > working.budget_micro_cents then 'budget_spend'
    when not recorded then 'budget_steps' -- a step above the budget is not recorded, but its cost is
    when runner.over_time(working) then 'budget_time'
  end;
  return runner.end_step(working, passed, beyond_limit);
end
$$;
comment on function runner.charge_step is 'Records a step of the leased run and its cost. With a model, the price of its tokens is added to spend_micro_cents. Returns the run''s new state.';

create function runner.step(
  organisation uuid, run uuid, lease uuid,
  kind text, input_tokens integer default 0, output_tokens integer default 0, spend_micro_cents bigint default 0,
  model text default null
) returns app.run_state
language plpgsql
security definer set search_path = ''
as $$
begin
  return runner.charge_step(
    runner.leased_run(organisation, run, lease), kind, input_tokens, output_tokens, spend_micro_cents, model
  );
end
$$;
comment on function runner.step is 'Instead of row-level security: runner.leased_run, for the lease of the run. Returns the run''s new state: running, failed by a budget, or paused_limit.';
grant execute on function runner.step to executor;
