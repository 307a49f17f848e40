/*
 * Operator actions on an organisation: limits, billing and suspension.
 * (docs/specification/organisation-and-me.md#suspension)
 */
create function operator.set_limit(organisation uuid, name text, maximum bigint, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  unit constant text := (select limits.unit from app.limits where limits.name = set_limit.name);
begin
  perform operator.begin_action(
    'set_limit', organisation, null, jsonb_build_object('name', name, 'maximum', maximum), reason
  );
  if unit is null then
    perform errors.refuse('invalid_request', '[{"path":"name","message":"must be the name of a limit"}]');
  elsif maximum < 0 or (unit = 'count' and (maximum <= 1000000) is not true) then
    perform errors.refuse(
      'invalid_request',
      '[{"path":"maximum","message":"must be 0 to 1000000, or for money any amount or null for no limit"}]'
    );
  end if;
  perform limits.lock_organisation(organisation);
  insert into app.organisation_limits as own (organisation_id, name, maximum)
  values (organisation, set_limit.name, set_limit.maximum)
  on conflict on constraint organisation_limits_pkey do update set maximum = excluded.maximum;
  return json_build_object('id', organisation, 'name', name, 'maximum', maximum);
end
$$;
comment on function operator.set_limit is 'Instead of row-level security: operator.begin_action, for a token of scope act. Sets the maximum of a limit of an organisation, by its name in GET /me; only the spending limit can be null.';
grant execute on function operator.set_limit to operator;

create function operator.set_billing(
  organisation uuid, state operator.billing, trial_ends_at timestamptz, seats_bought integer, reason text
) returns json
language plpgsql
security definer set search_path = ''
as $$
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
comment on function operator.set_billing is 'Instead of row-level security: operator.begin_action, for a token of scope act. Sets trial with its end, active or none; and the seats bought, null if they are not counted.';
grant execute on function operator.set_billing to operator;

-- A second suspension keeps the first time; both actions are recorded.
create function operator.suspend_organisation(organisation uuid, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action('suspend_organisation', organisation, null, null, reason);
  update app.organisations
  set suspended_at = now()
  where organisations.id = organisation and organisations.suspended_at is null;
  return operator.suspension(organisation);
end
$$;
comment on function operator.suspend_organisation is 'Instead of row-level security: operator.begin_action, for a token of scope act. Until it is lifted, keys and hooks are refused with 403, and runs wait.';
grant execute on function operator.suspend_organisation to operator;

create function operator.lift_suspension(organisation uuid, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action('lift_suspension', organisation, null, null, reason);
  update app.organisations
  set suspended_at = null
  where organisations.id = organisation and organisations.suspended_at is not null;
  return operator.suspension(organisation);
end
$$;
comment on function operator.lift_suspension is 'Instead of row-level security: operator.begin_action, for a token of scope act. Keys, hooks and runs continue unchanged.';
grant execute on function operator.lift_suspension to operator;

create function operator.suspension(organisation uuid) returns json
language sql stable
as $$
  select json_build_object('id', organisations.id, 'suspendedAt', rows.time(organisations.suspended_at))
  from app.organisations
  where organisations.id = organisation
$$;
