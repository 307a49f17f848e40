/*
 * Steps. The database enforces budgets and the monthly limit, independent of the executor: the step that exceeds one
 * ends the work. (docs/specification/executors.md#steps)
 */
create function runner.over_time(working app.runs) returns boolean
language sql stable
as $$ select working.working + (clock_timestamp() - working.working_since) > working.budget_working $$;
comment on function runner.over_time is 'Whether a run has exceeded its working time.';

-- Work under way ends only beyond the limit; new work does not start at the limit (triggers.at_limit). The sum is capped
-- at 90 million euros, the maximum that a JSON number represents exactly, so that no step can make later ones fail.
create function runner.spend(organisation uuid, micro_cents bigint) returns boolean
language plpgsql
as $$
declare
  spent bigint;
  maximum bigint;
begin
  if micro_cents <> 0 then
    insert into app.monthly_usage as usage (organisation_id, month, spend_micro_cents)
    values (organisation, limits.this_month(), micro_cents)
    on conflict (organisation_id, month)
    do update set spend_micro_cents = least(usage.spend_micro_cents + excluded.spend_micro_cents, 9000000000000000)
    returning usage.spend_micro_cents into spent;
    select maximums.maximum into maximum
    from limits.maximums
    where maximums.organisation_id = organisation and maximums.name = 'monthlySpendMicroCents';
    if spent >= maximum and spent - micro_cents < maximum then
      perform limits.announce_reached(organisation, 'monthlySpendMicroCents', maximum, spent);
    end if;
  end if;
  return exists (
    select from app.organisations
    where organisations.id = organisation and organisations.suspended_at is not null
  ) or spent > maximum;
end
$$;
comment on function runner.spend is 'Adds to the month''s spending. Returns whether that exceeds the organisation''s limit, or the organisation is suspended.';

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

create function runner.step(
  organisation uuid, run uuid, lease uuid,
  kind text, input_tokens integer default 0, output_tokens integer default 0, spend_micro_cents bigint default 0,
  model text default null
) returns app.run_state
language plpgsql
security definer set search_path = ''
as $$
declare
  working app.runs := runner.leased_run(organisation, run, lease);
  recorded boolean := working.steps < working.budget_steps;
  passed app.run_error;
  beyond_limit boolean;
begin
  perform runner.require_countable(kind, input_tokens, output_tokens, spend_micro_cents);
  if model is not null then
    spend_micro_cents := spend_micro_cents + runner.price_of(model, input_tokens, output_tokens);
  end if;
  if recorded then
    insert into app.steps (organisation_id, run_id, number, kind, input_tokens, output_tokens, spend_micro_cents)
    values (organisation, run, working.steps + 1, kind, input_tokens, output_tokens, spend_micro_cents);
  end if;
  working.steps := working.steps + recorded::integer;
  working.spend_micro_cents := working.spend_micro_cents + spend_micro_cents;
  beyond_limit := runner.spend(organisation, spend_micro_cents);
  passed := case
    when working.spend_micro_cents > working.budget_micro_cents then 'budget_spend'
    when not recorded then 'budget_steps' -- a step above the budget is not recorded, but its cost is
    when runner.over_time(working) then 'budget_time'
  end;
  return runner.end_step(working, passed, beyond_limit);
end
$$;
comment on function runner.step is 'Instead of row-level security: the lease of the run. With a model, the price of its tokens is added to spend_micro_cents. Returns the run''s new state: running, failed by a budget, or paused_limit.';
grant execute on function runner.step to executor;
