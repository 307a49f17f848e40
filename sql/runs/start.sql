/*
 * Starting a run on behalf of an absent person: by a routine or a hook. The checks and their order equal
 * those in POST /runs: payment, the limit of its kind, an executor. (docs/specification/routines.md#firing)
 */
create function runs.is_open_to(bot app.bots, person uuid) returns boolean
language sql immutable
as $$
  select bot.deleted_at is null
    and (bot.owner_id = person or (bot.visibility = 'team' and bot.direct_conversation = 'members'))
$$;
comment on function runs.is_open_to is 'Whether a member may start runs of the bot.';

create function runs.reason_to_pause(organisation uuid, person uuid, bot uuid) returns app.pause_reason
language sql stable
as $$
  select case
    when not exists (
      select from app.memberships member
      where member.organisation_id = organisation and member.person_id = person and member.role >= 'admin'
    ) then 'creator_not_admin'::app.pause_reason
    when not exists (
      select from app.bots
      where bots.organisation_id = organisation
        and bots.id = bot
        and runs.is_open_to(bots, person)
    ) then 'bot_not_visible'::app.pause_reason
  end
$$;
comment on function runs.reason_to_pause is 'Why this person may not start runs of this bot; null if they may. The conditions for an API key and POST /runs apply.';

create function runs.place(run app.runs) returns timestamptz
language sql immutable
as $$ select greatest(run.start_at, run.created_at) $$;
comment on function runs.place is 'The place of a run in the queue, before its id: when it was started, or the start time to which it was postponed.';

create function runs.ensure_conversation(organisation uuid, bot uuid, person uuid) returns uuid
language plpgsql
as $$
begin
  insert into app.conversations (organisation_id, bot_id, person_id) values (organisation, bot, person) on conflict do nothing;
  return (
    select direct.id
    from app.conversations direct
    where direct.organisation_id = organisation and direct.bot_id = bot and direct.person_id = person
  );
end
$$;
comment on function runs.ensure_conversation is 'The conversation of a person with a bot; creates it if there is none.';

create function runs.start(
  organisation uuid, person uuid, bot uuid, trigger app.run_trigger, message text,
  routine uuid default null, firing timestamptz default null
) returns uuid
language plpgsql
as $$
declare
  conversation uuid;
  run uuid;
begin
  -- Not "on conflict": the triggers of the insert would first count a start that is not made. The caller of a firing has
  -- locked the organisation, so no other transaction starts it meanwhile.
  if exists (
    select from app.runs
    where runs.organisation_id = organisation and runs.routine_id = routine and runs.firing_at = firing
  ) then
    return null;
  end if;
  perform limits.require_payment();
  conversation := runs.ensure_conversation(organisation, bot, person);
  insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, routine_id, firing_at)
  values (organisation, bot, conversation, person, trigger, routine, firing)
  returning id into run;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text)
  values (organisation, conversation, run, 'person', message);
  perform models.require_executor((
    select bots.model from app.bots where bots.organisation_id = organisation and bots.id = bot
  ));
  return run;
end
$$;
comment on function runs.start is 'Starts a run in the transaction''s organisation and returns its id; null if this firing of the routine has a run already, which needs the lock of the organisation. Refuses as POST /runs does.';
