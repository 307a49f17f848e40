/*
 * Limits. A trigger locks the organisation's row first and counts in a later statement: so a limit holds under any
 * concurrency. The lock is the weakest that excludes itself, and does not wait for the foreign keys of other writes.
 * (docs/specification/organisation-and-me.md#limits)
 *
 * The counts are definer functions, because a limit counts all rows and not only the rows that the caller sees.
 */
create function triggers.live_keys(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count only, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.api_keys key
  where key.organisation_id = organisation and key.revoked_at is null and key.expires_at > now()
$$;
comment on function triggers.live_keys is 'Instead of row-level security: returns a count, within a request of the caller''s organisation only.';
grant execute on function triggers.live_keys to tenant, operator;

create function triggers.live_endpoints(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count only, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.webhook_endpoints endpoint
  where endpoint.organisation_id = organisation and endpoint.deleted_at is null
$$;
comment on function triggers.live_endpoints is 'Instead of row-level security: returns a count, within a request of the caller''s organisation only.';
grant execute on function triggers.live_endpoints to tenant, operator;

-- Three kinds, each with its own limit: people and their scripts; routines; inbound webhooks.
create function triggers.kind_of_start(trigger app.run_trigger) returns text
language sql stable parallel safe
as $$ select case when trigger in ('routine', 'webhook') then trigger::text else 'script' end $$;
grant execute on function triggers.kind_of_start to operator;

create function triggers.starts_of_kind(kind text) returns app.run_trigger[]
language sql stable parallel safe
as $$
  select array_agg(trigger)
  from unnest(enum_range(null::app.run_trigger)) trigger
  where triggers.kind_of_start(trigger) = kind
$$;

-- Ids carry their time, so an hour of runs is a range of the primary key.
create function triggers.run_starts(organisation uuid, kind text) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count only, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.runs run
  where run.organisation_id = organisation
    and run.id > times.least_id(now() - interval '1 hour')
    and run.trigger = any ((select triggers.starts_of_kind(kind))::app.run_trigger[]) -- once, and not for every run
$$;
comment on function triggers.run_starts is 'Instead of row-level security: returns a count, within a request of the caller''s organisation alone. Kinds are script, routine and webhook.';
grant execute on function triggers.run_starts to tenant, operator;

create function triggers.lock_organisation(organisation uuid) returns app.organisations
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: called by triggers, for the organisation of the row being written, and by definer
  -- functions for the organisation they act in.
  select organisations from app.organisations where organisations.id = organisation for no key update
$$;
comment on function triggers.lock_organisation is 'Instead of row-level security: called by triggers, for the organisation of the row being written, and by definer functions for the organisation they act in.';

-- The deletion of a bot locks the organisation first. So either the deletion sees the new row, or this check sees that
-- the bot is deleted.
create function triggers.refuse_for_deleted_bot(organisation uuid, bot uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  if exists (
    select from app.bots
    where bots.organisation_id = organisation and bots.id = bot and bots.deleted_at is not null
  ) then
    perform errors.refuse('not_found');
  end if;
end
$$;
comment on function triggers.refuse_for_deleted_bot is 'Refuses if the bot has been deleted. For triggers that hold the organisation''s lock.';

create function triggers.tg_api_keys__enforce_limit() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it reads only the organisation of the row being written.
declare
  organisation app.organisations := triggers.lock_organisation(new.organisation_id);
begin
  if triggers.live_keys(new.organisation_id) >= organisation.live_key_limit then
    perform errors.refuse('quota_exceeded', reason => 'limit_keys');
  end if;
  new.suspended_at := organisation.suspended_at;
  return new;
end
$$;
comment on function triggers.tg_api_keys__enforce_limit is 'Instead of row-level security: reads the organisation of the row only.';

create trigger _100_enforce_limit before insert on app.api_keys
  for each row execute function triggers.tg_api_keys__enforce_limit();

create function triggers.tg_webhook_endpoints__enforce_limit() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it reads only the organisation of the row being written.
declare
  maximum integer := (triggers.lock_organisation(new.organisation_id)).live_endpoint_limit;
begin
  if triggers.live_endpoints(new.organisation_id) >= maximum then
    perform errors.refuse('quota_exceeded', reason => 'limit_webhooks');
  end if;
  return new;
end
$$;
comment on function triggers.tg_webhook_endpoints__enforce_limit is 'Instead of row-level security: reads the organisation of the row only.';

create trigger _100_enforce_limit before insert on app.webhook_endpoints
  for each row execute function triggers.tg_webhook_endpoints__enforce_limit();

/*
 * Run starts, each kind with its own limit. The run gets its id here, under the lock of its organisation, which lasts
 * until the transaction ends. So the ids of an organisation's runs follow the order of commits.
 */
create function triggers.tg_runs__enforce_limit() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it reads only the organisation and the bot of the row being written.
declare
  organisation app.organisations := triggers.lock_organisation(new.organisation_id);
  kind text := triggers.kind_of_start(new.trigger);
  maximum integer := case kind
    when 'routine' then organisation.hourly_routine_limit
    when 'webhook' then organisation.hourly_webhook_limit
    else organisation.hourly_run_limit
  end;
begin
  perform triggers.refuse_for_deleted_bot(new.organisation_id, new.bot_id);
  if triggers.run_starts(new.organisation_id, kind) >= maximum then
    perform errors.refuse('quota_exceeded', reason => case kind
      when 'routine' then 'limit_routine_starts'
      when 'webhook' then 'limit_webhook_starts'
      else 'limit_run_starts'
    end);
  end if;
  new.id := coalesce(new.id, uuidv7());
  return new;
end
$$;
comment on function triggers.tg_runs__enforce_limit is 'Instead of row-level security: reads the organisation and the bot of the row only.';

create trigger _100_enforce_limit before insert on app.runs
  for each row execute function triggers.tg_runs__enforce_limit();
