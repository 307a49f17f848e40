/*
 * Routines and hooks: who may change them, their deletion with the bot, and when a routine is planned again. (docs/decisions/0020-routines-and-hooks.md)
 */
/*
 * A routine or a hook starts runs in the name of its creator, in the creator's conversation. So only the creator
 * changes its message, schedule or secret. Any person with scope write who sees the bot may pause or delete it.
 */
create function triggers.refuse_change_by_others() returns trigger
language plpgsql
as $$
begin
  -- Nor in a portal session of the creator that another person opened: it starts no run in the creator's name.
  if caller.person_id() is not null and caller.private_person_id() is distinct from old.created_by then
    perform errors.refuse('forbidden', reason => 'not_creator');
  end if;
  return new;
end
$$;
comment on function triggers.refuse_change_by_others is 'Refuses changes by members other than the creator.';

create trigger _100_refuse_change_by_others before update on app.routines
  for each row
  when (
    (old.name, old.schedule, old.time_zone, old.message) is distinct from (new.name, new.schedule, new.time_zone, new.message)
    or (old.state = 'paused' and new.state = 'active')
  )
  execute function triggers.refuse_change_by_others();

create trigger _100_refuse_change_by_others before update on app.hooks
  for each row
  when (
    (old.name, old.secret_sealed, old.secret_digest) is distinct from (new.name, new.secret_sealed, new.secret_digest)
    or (old.state = 'paused' and new.state = 'active')
  )
  execute function triggers.refuse_change_by_others();

create function triggers.tg_routines__refuse_invalid_schedule() returns trigger
language plpgsql
as $$
begin
  if times.is_schedule(new.schedule) is not true then
    perform errors.refuse(
      'invalid_request',
      '[{"path": "body.schedule", "message": "must be a cron expression of five fields that occurs at some time"}]'
    );
  end if;
  return new;
end
$$;
comment on function triggers.tg_routines__refuse_invalid_schedule is 'Refuses an invalid cron expression, or one that never occurs.';

create trigger _050_refuse_invalid_schedule before insert on app.routines
  for each row execute function triggers.tg_routines__refuse_invalid_schedule();
create trigger _050_refuse_invalid_schedule_later before update on app.routines
  for each row when (old.schedule <> new.schedule) execute function triggers.tg_routines__refuse_invalid_schedule();

-- A routine does not make up for firings that it missed while paused, or that its former schedule had.
create function triggers.tg_routines__plan_again() returns trigger
language plpgsql
as $$
begin
  new.next_firing_at := case when new.state = 'active' then '-infinity'::timestamptz end;
  new.awaits_executor_until := null;
  return new;
end
$$;
comment on function triggers.tg_routines__plan_again is 'Plans the next firing from now, without firings that were missed.';

create trigger _200_plan_again before update on app.routines
  for each row
  when ((old.state, old.schedule, old.time_zone) is distinct from (new.state, new.schedule, new.time_zone))
  execute function triggers.tg_routines__plan_again();

create function triggers.clear_pause_reason() returns trigger
language plpgsql
as $$
begin
  new.pause_reason := null;
  return new;
end
$$;
comment on function triggers.clear_pause_reason is 'Clears the reason of a pause that ended.';

create trigger _200_clear_pause_reason before update on app.routines
  for each row when (old.state = 'paused' and new.state = 'active')
  execute function triggers.clear_pause_reason();

create trigger _200_clear_pause_reason before update on app.hooks
  for each row when (old.state = 'paused' and new.state = 'active')
  execute function triggers.clear_pause_reason();

create function triggers.tg_bots__delete_automations() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  update app.routines
  set deleted_at = new.deleted_at
  where organisation_id = new.organisation_id and bot_id = new.id and deleted_at is null;
  update app.hooks
  set deleted_at = new.deleted_at
  where organisation_id = new.organisation_id and bot_id = new.id and deleted_at is null;
  return null;
end
$$;
comment on function triggers.tg_bots__delete_automations is 'Instead of row-level security: organisation_id = new.organisation_id and bot_id = new.id. Deletes routines and hooks of the deleted bot.';

create trigger _500_delete_automations after update on app.bots
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function triggers.tg_bots__delete_automations();
