/*
 * Steps. Budgets and the month's limit are held here, whatever an executor believes: the step that passes one ends the
 * work. (Part 2, "Run": 50 steps, 2 euros, 10 minutes; decisions: "Seats and payment".)
 */
create function runner.over_time(working app.runs) returns boolean
language sql stable
set search_path = ''
as $$ select working.working + (clock_timestamp() - working.working_since) > working.budget_working $$;
comment on function runner.over_time is 'Whether a run that is working has worked longer than it may.';

-- Spending up to the limit is spending what one may: only what goes beyond it ends work that is under way. (Nothing new
-- is begun at the limit: runner.at_limit.)
create function runner.spend(organisation uuid, micro_cents bigint) returns boolean
language plpgsql
set search_path = ''
as $$
declare
  spent bigint;
begin
  if micro_cents <> 0 then
    insert into app.monthly_usage as usage (organisation_id, month, spend_micro_cents)
    values (organisation, triggers.this_month(), micro_cents)
    on conflict (organisation_id, month)
    do update set spend_micro_cents = usage.spend_micro_cents + excluded.spend_micro_cents
    returning usage.spend_micro_cents into spent;
  end if;
  return exists (
    select from app.organisations held
    where held.id = organisation
      and (held.suspended_at is not null or spent > held.monthly_spend_limit_micro_cents)
  );
end
$$;
comment on function runner.spend is 'Adds to the month''s spending; answers whether that passes the organisation''s limit, or it is suspended.';

create function runner.step(
  organisation uuid, run uuid, lease uuid,
  kind text, input_tokens integer default 0, output_tokens integer default 0, spend_micro_cents bigint default 0,
  model text default null
) returns app.run_state
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
declare
  working app.runs := runner.held(organisation, run, lease);
  recorded boolean := working.steps < working.budget_steps;
  passed app.run_error;
  beyond_limit boolean;
begin
  if (input_tokens >= 0 and output_tokens >= 0 and spend_micro_cents >= 0) is not true then
    raise exception using errcode = '22023', message = 'what a step takes and costs is zero or more';
  end if;
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
    when not recorded then 'budget_steps' -- one step too many is not recorded as one, but what it cost is
    when runner.over_time(working) then 'budget_time'
  end;

  update app.runs held
  set
    steps = working.steps,
    spend_micro_cents = working.spend_micro_cents,
    error = passed,
    state = case
      when passed is not null then 'failed'
      when beyond_limit then 'paused_limit'
      else 'running'
    end::app.run_state
  where held.organisation_id = organisation and held.id = run
  returning held.state into working.state;
  return working.state;
end
$$;
comment on function runner.step is 'Instead of row-level security: the lease of the run. With a model, its tokens cost what the table of prices says, beside what the executor says. Answers the state the run is in afterwards: running, failed by a budget, or paused_limit.';
