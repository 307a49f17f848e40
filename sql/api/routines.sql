/*
 * Routines send messages to a bot on a schedule. (Beyond the specification; docs/specification/routines.md)
 */
create function api.create_routine(input jsonb) returns text
language plpgsql
as $$
declare
  bot app.bots := api_private.bot_for_conversation((input ->> 'botId')::uuid);
  created uuid;
begin
  insert into app.routines (organisation_id, bot_id, name, schedule, time_zone, message, created_by, next_firing_at)
  values (
    caller.organisation_id(), bot.id, input ->> 'name', input ->> 'schedule', input ->> 'timeZone', input ->> 'message',
    caller.person_id(),
    api_private.planned_firing((input ->> 'plannedAt')::timestamptz, (input ->> 'nextFiringAt')::timestamptz)
  )
  returning id into created;
  return api.get_routine(jsonb_build_object('id', created));
end
$$;
grant execute on function api.create_routine to tenant;

create function api.update_routine(input jsonb) returns text
language plpgsql
as $$
begin
  update app.routines
  set
    name = coalesce(input ->> 'name', name),
    schedule = coalesce(input ->> 'schedule', schedule),
    time_zone = coalesce(input ->> 'timeZone', time_zone),
    message = coalesce(input ->> 'message', message),
    state = coalesce((input ->> 'state')::app.automation_state, state)
  where id = (input ->> 'id')::uuid and deleted_at is null;
  perform errors.require_row(found);
  return api.get_routine(input);
end
$$;
grant execute on function api.update_routine to tenant;
