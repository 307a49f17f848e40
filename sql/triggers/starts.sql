/*
 * Conditions for the start of runs, routines and hooks. These triggers come before the limits of sql/limits/limits.sql.
 *
 * The deletion of a bot locks the organisation first. So either the deletion sees the new row, or this check sees that
 * the bot is deleted.
 */
create function triggers.refuse_for_deleted_bot() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  locked app.organisations := limits.lock_organisation(new.organisation_id); -- unused
begin
  if exists (
    select from app.bots
    where bots.organisation_id = new.organisation_id and bots.id = new.bot_id and bots.deleted_at is not null
  ) then
    perform errors.refuse('not_found');
  end if;
  return new;
end
$$;
comment on function triggers.refuse_for_deleted_bot is 'Instead of row-level security: bots.organisation_id = new.organisation_id. Locks the organisation, and refuses a row for a deleted bot.';

create trigger _100_refuse_for_deleted_bot before insert on app.runs
  for each row execute function triggers.refuse_for_deleted_bot();
create trigger _100_refuse_for_deleted_bot before insert on app.routines
  for each row execute function triggers.refuse_for_deleted_bot();
create trigger _100_refuse_for_deleted_bot before insert on app.hooks
  for each row execute function triggers.refuse_for_deleted_bot();

-- The lock of the organisation lasts until the transaction ends. So the ids of its runs follow the order of commits.
create function triggers.tg_runs__set_id() returns trigger
language plpgsql
as $$
begin
  new.id := uuidv7();
  return new;
end
$$;
comment on function triggers.tg_runs__set_id is 'Sets the id under the lock of the organisation, so ids follow the order of commits.';

create trigger _110_set_id before insert on app.runs
  for each row when (new.id is null) execute function triggers.tg_runs__set_id();

create function triggers.tg_runs__number_starts() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  last record;
begin
  select through.* into last
  from app.runs run
  cross join lateral limits.starts_through(run) through
  where run.organisation_id = new.organisation_id and run.id < new.id
  order by run.id desc
  limit 1;
  if found then
    new.scripts_before := last.scripts;
    new.routines_before := last.routines;
    new.webhooks_before := last.webhooks;
  end if;
  return new;
end
$$;
comment on function triggers.tg_runs__number_starts is 'Instead of row-level security: run.organisation_id = new.organisation_id. Numbers the start among the starts of its kind, which the hourly limits compare. Under the lock of the organisation, so no other run comes between.';

create trigger _120_number_starts before insert on app.runs
  for each row execute function triggers.tg_runs__number_starts();

-- The time is checked against the clock of the database: only this clock decides when the run starts.
create function triggers.tg_runs__postpone() returns trigger
language plpgsql
as $$
begin
  if new.start_at > clock_timestamp() + interval '30 days' then
    perform errors.refuse('invalid_request', '[{"path":"body.startAt","message":"must be at most 30 days ahead"}]');
  end if;
  new.postponed := new.start_at > clock_timestamp();
  return new;
end
$$;
comment on function triggers.tg_runs__postpone is 'Postpones a run with a start time in the future. Refuses a time more than 30 days ahead.';

create trigger _130_postpone before insert on app.runs
  for each row when (new.start_at is not null) execute function triggers.tg_runs__postpone();
