/*
 * Ceilings. The organisation's row is locked first and what it holds is counted second, in a statement that begins
 * after the lock: so a ceiling holds under any concurrency. The lock is the weakest that excludes itself, and does not
 * wait for the foreign keys of other writes. (Part 8.)
 *
 * The counts are definer functions, since the ceiling counts what is there and not what the caller may see.
 */
create function triggers.live_keys(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count alone, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.api_keys key
  where key.organisation_id = organisation and key.revoked_at is null and key.expires_at > now()
$$;
comment on function triggers.live_keys is 'Instead of row-level security: answers a count, within a request of the caller''s organisation alone.';

create function triggers.live_endpoints(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count alone, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.webhook_endpoints endpoint
  where endpoint.organisation_id = organisation and endpoint.deleted_at is null
$$;
comment on function triggers.live_endpoints is 'Instead of row-level security: answers a count, within a request of the caller''s organisation alone.';

-- What is counted together: people and their scripts; routines; inbound webhooks.
create function triggers.kind_of_start(trigger app.run_trigger) returns text
language sql stable parallel safe
as $$ select case when trigger in ('routine', 'webhook') then trigger::text else 'script' end $$;

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
  -- In place of row-level security: a count alone, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.runs run
  where run.organisation_id = organisation
    and run.id > jobs.least_id(now() - interval '1 hour')
    and run.trigger = any ((select triggers.starts_of_kind(kind))::app.run_trigger[]) -- once, and not for every run
$$;
comment on function triggers.run_starts is 'Instead of row-level security: answers a count, within a request of the caller''s organisation alone. Kinds are script, routine and webhook.';

create function triggers.lock_organisation(organisation uuid) returns app.organisations
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: called by triggers, for the organisation of the row being written, and by definer functions for
  -- the one that they act in.
  select held from app.organisations held where held.id = organisation for no key update
$$;
comment on function triggers.lock_organisation is 'Instead of row-level security: called by triggers, for the organisation of the row being written, and by definer functions for the one that they act in.';

-- What is begun for a bot is begun while it is there. Asked under the organisation's lock, which whoever deletes a bot takes
-- first: either they see what was begun, or it is seen here that the bot is gone.
create function triggers.refuse_for_deleted_bot(organisation uuid, bot uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  if exists (
    select from app.bots held
    where held.organisation_id = organisation and held.id = bot and held.deleted_at is not null
  ) then
    perform caller.refuse('not_found');
  end if;
end
$$;
comment on function triggers.refuse_for_deleted_bot is 'Refuses where the bot has been deleted. For triggers that hold the organisation''s lock.';

create function triggers.tg_api_keys__hold_ceiling() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at nothing but the organisation of the row being written.
declare
  organisation app.organisations := triggers.lock_organisation(new.organisation_id);
begin
  if triggers.live_keys(new.organisation_id) >= organisation.live_key_ceiling then
    perform caller.refuse('quota_exceeded');
  end if;
  new.suspended_at := organisation.suspended_at;
  return new;
end
$$;
comment on function triggers.tg_api_keys__hold_ceiling is 'Instead of row-level security: looks at the organisation of the row alone.';

create trigger _100_hold_ceiling before insert on app.api_keys
  for each row execute function triggers.tg_api_keys__hold_ceiling();

create function triggers.tg_webhook_endpoints__hold_ceiling() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at nothing but the organisation of the row being written.
declare
  ceiling integer := (triggers.lock_organisation(new.organisation_id)).live_endpoint_ceiling;
begin
  if triggers.live_endpoints(new.organisation_id) >= ceiling then
    perform caller.refuse('quota_exceeded');
  end if;
  return new;
end
$$;
comment on function triggers.tg_webhook_endpoints__hold_ceiling is 'Instead of row-level security: looks at the organisation of the row alone.';

create trigger _100_hold_ceiling before insert on app.webhook_endpoints
  for each row execute function triggers.tg_webhook_endpoints__hold_ceiling();

/*
 * Starts, each kind under a ceiling of its own. The run gets its id here, where its organisation is locked until the
 * transaction ends: so the runs of an organisation are ordered as they were committed, and one that was started later is
 * never seen before an earlier one.
 */
create function triggers.tg_runs__hold_ceiling() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at nothing but the organisation and the bot of the row being written.
declare
  organisation app.organisations := triggers.lock_organisation(new.organisation_id);
  kind text := triggers.kind_of_start(new.trigger);
  ceiling integer := case kind
    when 'routine' then organisation.hourly_routine_ceiling
    when 'webhook' then organisation.hourly_webhook_ceiling
    else organisation.hourly_run_ceiling
  end;
begin
  perform triggers.refuse_for_deleted_bot(new.organisation_id, new.bot_id);
  if triggers.run_starts(new.organisation_id, kind) >= ceiling then
    perform caller.refuse('quota_exceeded');
  end if;
  new.id := coalesce(new.id, uuidv7());
  return new;
end
$$;
comment on function triggers.tg_runs__hold_ceiling is 'Instead of row-level security: looks at the organisation and the bot of the row alone.';

create trigger _100_hold_ceiling before insert on app.runs
  for each row execute function triggers.tg_runs__hold_ceiling();
