/*
 * Starting a run in somebody's name when they are not there: by a routine or by a hook. It meets what POST /runs meets, in
 * the same order: payment, the ceiling of its kind, an executor. (docs/decisions.md, "Routines and hooks".)
 */
create function jobs.reason_to_pause(organisation uuid, person uuid, bot uuid) returns app.pause_reason
language sql stable
set search_path = ''
as $$
  select case
    when not exists (
      select from app.memberships member
      where member.organisation_id = organisation and member.person_id = person and member.role >= 'admin'
    ) then 'creator_not_admin'::app.pause_reason
    when not exists (
      select from app.bots held
      where held.organisation_id = organisation
        and held.id = bot
        and held.deleted_at is null
        and (held.owner_id = person or (held.visibility = 'team' and held.direct_conversation = 'members'))
    ) then 'bot_not_visible'::app.pause_reason
  end
$$;
comment on function jobs.reason_to_pause is 'Why no run may go in this person''s name to this bot; null when one may. It asks for what an API key and POST /runs ask for.';

create function jobs.start_run(
  organisation uuid, person uuid, bot uuid, trigger app.run_trigger, message text,
  routine uuid default null, firing timestamptz default null
) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  conversation uuid;
  run uuid;
begin
  perform caller.require_payment();
  insert into app.conversations (organisation_id, bot_id, person_id)
  values (organisation, bot, person)
  on conflict do nothing;
  select direct.id into conversation
  from app.conversations direct
  where direct.organisation_id = organisation and direct.bot_id = bot and direct.person_id = person;

  insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, routine_id, firing_at)
  values (organisation, bot, conversation, person, trigger, routine, firing)
  on conflict (organisation_id, routine_id, firing_at) where firing_at is not null do nothing
  returning id into run;
  if run is null then
    return null;
  end if;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text)
  values (organisation, conversation, run, 'person', message);
  perform caller.require_executor((
    select held.model from app.bots held where held.organisation_id = organisation and held.id = bot
  ));
  return run;
end
$$;
comment on function jobs.start_run is 'The run that was started, in the organisation that the transaction is set to; null when this firing of the routine has its run already. Refuses as POST /runs does.';
