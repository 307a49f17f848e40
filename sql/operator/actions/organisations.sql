/*
 * Acts on an organisation as a whole: its ceilings, what it has paid for, and whether it may be used at all.
 * (docs/decisions.md, "The operators' console".)
 */
create type operator.ceiling as enum (
  'live_key_ceiling', 'live_endpoint_ceiling', 'hourly_run_ceiling', 'hourly_routine_ceiling', 'hourly_webhook_ceiling',
  'open_invitation_ceiling', 'seat_ceiling', 'routine_ceiling', 'hook_ceiling', 'monthly_spend_limit_micro_cents'
);

create function operator.set_limit(organisation uuid, ceiling operator.ceiling, value bigint, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
begin
  perform operator.begin_act(
    'set_limit', organisation, null, jsonb_build_object('ceiling', ceiling, 'value', value), reason
  );
  if ceiling is null
    or value < 0
    or (ceiling <> 'monthly_spend_limit_micro_cents' and (value between 0 and 1000000) is not true)
  then
    perform caller.refuse(
      'invalid_request',
      '[{"path":"value","message":"must be 0 to 1000000, or for money any amount or null for no limit"}]'
    );
  end if;
  execute format('update app.organisations set %I = $1 where id = $2', ceiling) using value, organisation;
  return json_build_object('id', organisation, 'ceiling', ceiling, 'value', value);
end
$$;
comment on function operator.set_limit is 'Instead of row-level security: an operator''s token of scope act. Raises or lowers one ceiling of an organisation; money may have none.';

create function operator.set_billing(
  organisation uuid, state operator.billing, trial_ends_at timestamptz, seats_bought integer, reason text
) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
begin
  perform operator.begin_act(
    'set_billing', organisation, null,
    jsonb_build_object('state', state, 'trialEndsAt', rows.time(trial_ends_at), 'seatsBought', seats_bought), reason
  );
  if state is null then
    perform caller.refuse('invalid_request', '[{"path":"state","message":"must be given"}]');
  elsif (state = 'trial') <> (trial_ends_at is not null) or trial_ends_at <= now() then
    perform caller.refuse(
      'invalid_request', '[{"path":"trialEndsAt","message":"must be in the future with a trial, and null without"}]'
    );
  elsif seats_bought <= 0 then
    perform caller.refuse('invalid_request', '[{"path":"seatsBought","message":"must be above 0, or null"}]');
  end if;
  update app.organisations held
  set
    billing_state = state::text::app.billing_state, trial_ends_at = set_billing.trial_ends_at, seats_bought = set_billing.seats_bought
  where held.id = organisation;
  return json_build_object(
    'id', organisation, 'state', state, 'trialEndsAt', rows.time(trial_ends_at), 'seatsBought', seats_bought
  );
end
$$;
comment on function operator.set_billing is 'Instead of row-level security: an operator''s token of scope act. On trial until a time, paying, or neither; with the seats bought, null when they are not counted.';

-- Whoever suspends twice finds it as it is: the first time stays, and both acts are kept.
create function operator.suspend_organisation(organisation uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
begin
  perform operator.begin_act('suspend_organisation', organisation, null, null, reason);
  update app.organisations held
  set suspended_at = now()
  where held.id = organisation and held.suspended_at is null;
  return operator.suspension(organisation);
end
$$;
comment on function operator.suspend_organisation is 'Instead of row-level security: an operator''s token of scope act. Its keys and hooks are refused with 403, and its runs wait, until it is lifted.';

create function operator.lift_suspension(organisation uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
begin
  perform operator.begin_act('lift_suspension', organisation, null, null, reason);
  update app.organisations held
  set suspended_at = null
  where held.id = organisation and held.suspended_at is not null;
  return operator.suspension(organisation);
end
$$;
comment on function operator.lift_suspension is 'Instead of row-level security: an operator''s token of scope act. All goes on as it was left.';

create function operator.suspension(organisation uuid) returns json
language sql stable
set search_path = ''
as $$
  select json_build_object('id', held.id, 'suspendedAt', rows.time(held.suspended_at))
  from app.organisations held
  where held.id = organisation
$$;
