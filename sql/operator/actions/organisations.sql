/*
 * Operator actions on an organisation: limits, billing and suspension.
 * (docs/specification/organisation-and-me.md#suspension)
 */
create type operator.limit_name as enum (
  'live_key_limit', 'live_endpoint_limit', 'hourly_run_limit', 'hourly_routine_limit', 'hourly_webhook_limit',
  'open_invitation_limit', 'hourly_invitation_limit', 'daily_address_limit', 'seat_limit', 'routine_limit', 'hook_limit',
  'monthly_spend_limit_micro_cents'
);

create function operator.set_limit(organisation uuid, name operator.limit_name, value bigint, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
begin
  perform operator.begin_action('set_limit', organisation, null, jsonb_build_object('name', name, 'value', value), reason);
  if name is null
    or value < 0
    or (name <> 'monthly_spend_limit_micro_cents' and (value between 0 and 1000000) is not true)
  then
    perform errors.refuse(
      'invalid_request',
      '[{"path":"value","message":"must be 0 to 1000000, or for money any amount or null for no limit"}]'
    );
  end if;
  execute format('update app.organisations set %I = $1 where id = $2', name) using value, organisation;
  return json_build_object('id', organisation, 'name', name, 'value', value);
end
$$;
comment on function operator.set_limit is 'Instead of row-level security: an operator''s token of scope act. Changes one limit of an organisation; only the spending limit can be null.';
grant execute on function operator.set_limit to operator;

create function operator.set_billing(
  organisation uuid, state operator.billing, trial_ends_at timestamptz, seats_bought integer, reason text
) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
begin
  perform operator.begin_action(
    'set_billing', organisation, null,
    jsonb_build_object('state', state, 'trialEndsAt', rows.time(trial_ends_at), 'seatsBought', seats_bought), reason
  );
  if state is null then
    perform errors.refuse('invalid_request', '[{"path":"state","message":"must be given"}]');
  elsif (state = 'trial') <> (trial_ends_at is not null) or trial_ends_at <= now() then
    perform errors.refuse(
      'invalid_request', '[{"path":"trialEndsAt","message":"must be in the future with a trial, and null without"}]'
    );
  elsif seats_bought <= 0 then
    perform errors.refuse('invalid_request', '[{"path":"seatsBought","message":"must be above 0, or null"}]');
  end if;
  update app.organisations
  set
    billing_state = state::text::app.billing_state, trial_ends_at = set_billing.trial_ends_at, seats_bought = set_billing.seats_bought
  where organisations.id = organisation;
  return json_build_object(
    'id', organisation, 'state', state, 'trialEndsAt', rows.time(trial_ends_at), 'seatsBought', seats_bought
  );
end
$$;
comment on function operator.set_billing is 'Instead of row-level security: an operator''s token of scope act. Sets trial with its end, active or none; and the seats bought, null if they are not counted.';
grant execute on function operator.set_billing to operator;

-- A second suspension keeps the first time; both actions are recorded.
create function operator.suspend_organisation(organisation uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
begin
  perform operator.begin_action('suspend_organisation', organisation, null, null, reason);
  update app.organisations
  set suspended_at = now()
  where organisations.id = organisation and organisations.suspended_at is null;
  return operator.suspension(organisation);
end
$$;
comment on function operator.suspend_organisation is 'Instead of row-level security: an operator''s token of scope act. Until it is lifted, keys and hooks are refused with 403, and runs wait.';
grant execute on function operator.suspend_organisation to operator;

create function operator.lift_suspension(organisation uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for the organisation that it names.
begin
  perform operator.begin_action('lift_suspension', organisation, null, null, reason);
  update app.organisations
  set suspended_at = null
  where organisations.id = organisation and organisations.suspended_at is not null;
  return operator.suspension(organisation);
end
$$;
comment on function operator.lift_suspension is 'Instead of row-level security: an operator''s token of scope act. Keys, hooks and runs continue unchanged.';
grant execute on function operator.lift_suspension to operator;

create function operator.suspension(organisation uuid) returns json
language sql stable
set search_path = ''
as $$
  select json_build_object('id', organisations.id, 'suspendedAt', rows.time(organisations.suspended_at))
  from app.organisations
  where organisations.id = organisation
$$;
