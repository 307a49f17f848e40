/*
 * What holds for routines and hooks alike, whoever writes: ceilings, who may change them, and that they go with their bot;
 * and when a routine is to be planned anew. (docs/decisions.md, "Routines and hooks".)
 */
create function triggers.live_routines(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count alone, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.routines routine
  where routine.organisation_id = organisation and routine.deleted_at is null
$$;
comment on function triggers.live_routines is 'Instead of row-level security: answers a count, within a request of the caller''s organisation alone.';

create function triggers.live_hooks(organisation uuid) returns integer
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a count alone, and within a request of the caller's own organisation.
  select count(*)::integer
  from app.hooks hook
  where hook.organisation_id = organisation and hook.deleted_at is null
$$;
comment on function triggers.live_hooks is 'Instead of row-level security: answers a count, within a request of the caller''s organisation alone.';

create function triggers.tg_routines__hold_ceiling() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at nothing but the organisation and the bot of the row being written.
declare
  ceiling integer := (triggers.lock_organisation(new.organisation_id)).routine_ceiling;
begin
  perform triggers.refuse_for_deleted_bot(new.organisation_id, new.bot_id);
  if triggers.live_routines(new.organisation_id) >= ceiling then
    perform caller.refuse('quota_exceeded');
  end if;
  return new;
end
$$;
comment on function triggers.tg_routines__hold_ceiling is 'Instead of row-level security: looks at the organisation and the bot of the row alone.';

create trigger _100_hold_ceiling before insert on app.routines
  for each row execute function triggers.tg_routines__hold_ceiling();

create function triggers.tg_hooks__hold_ceiling() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at nothing but the organisation and the bot of the row being written.
declare
  ceiling integer := (triggers.lock_organisation(new.organisation_id)).hook_ceiling;
begin
  perform triggers.refuse_for_deleted_bot(new.organisation_id, new.bot_id);
  if triggers.live_hooks(new.organisation_id) >= ceiling then
    perform caller.refuse('quota_exceeded');
  end if;
  return new;
end
$$;
comment on function triggers.tg_hooks__hold_ceiling is 'Instead of row-level security: looks at the organisation and the bot of the row alone.';

create trigger _100_hold_ceiling before insert on app.hooks
  for each row execute function triggers.tg_hooks__hold_ceiling();

/*
 * Runs go in the name of whoever made the routine or the hook, into their conversation. So nobody else decides what is
 * said there, when, or under which secret; to pause and to delete is anybody's who may write and sees the bot.
 */
create function triggers.refuse_to_speak_for_others() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if caller.person_id() is not null and caller.person_id() <> old.created_by then
    perform caller.refuse('forbidden');
  end if;
  return new;
end
$$;

create trigger _100_refuse_to_speak_for_others before update on app.routines
  for each row
  when (
    (old.name, old.schedule, old.time_zone, old.message) is distinct from (new.name, new.schedule, new.time_zone, new.message)
    or (old.state = 'paused' and new.state = 'active')
  )
  execute function triggers.refuse_to_speak_for_others();

create trigger _100_refuse_to_speak_for_others before update on app.hooks
  for each row
  when (
    (old.name, old.secret_sealed, old.secret_digest) is distinct from (new.name, new.secret_sealed, new.secret_digest)
    or (old.state = 'paused' and new.state = 'active')
  )
  execute function triggers.refuse_to_speak_for_others();

-- What it missed while it was paused, or would have fired by its former schedule, is not made up for.
create function triggers.tg_routines__plan_anew() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.next_firing_at := case when new.state = 'active' then '-infinity'::timestamptz end;
  return new;
end
$$;

create trigger _200_plan_anew before update on app.routines
  for each row
  when ((old.state, old.schedule, old.time_zone) is distinct from (new.state, new.schedule, new.time_zone))
  execute function triggers.tg_routines__plan_anew();

create function triggers.forget_pause_reason() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.pause_reason := null;
  return new;
end
$$;

create trigger _200_forget_pause_reason before update on app.routines
  for each row when (old.state = 'paused' and new.state = 'active')
  execute function triggers.forget_pause_reason();

create trigger _200_forget_pause_reason before update on app.hooks
  for each row when (old.state = 'paused' and new.state = 'active')
  execute function triggers.forget_pause_reason();

create function triggers.tg_bots__take_automations_along() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it touches what belongs to the bot being deleted alone.
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
comment on function triggers.tg_bots__take_automations_along is 'Instead of row-level security: touches what belongs to the deleted bot alone.';

create trigger _500_take_automations_along after update on app.bots
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function triggers.tg_bots__take_automations_along();
