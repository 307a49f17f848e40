/*
 * Routines send messages to a bot on a schedule. (Beyond the specification; docs/specification/routines.md)
 */
create function api.list_routines(input jsonb) returns text
language sql stable
as $$
  select rows.page(array_agg(row_to_json(routine) order by routine.id desc), input)
  from (
    select * from rows.routines
    where id < rows.before(input)
      and (input ->> 'botId' is null or "botId" = (input ->> 'botId')::uuid)
    order by id desc
    limit (input ->> 'limit')::integer + 1
  ) routine
$$;
grant execute on function api.list_routines to tenant;

create function api.get_routine(input jsonb) returns text
language plpgsql stable
as $$
declare
  answer text;
begin
  select row_to_json(routine)::text into answer from rows.routines routine where routine.id = (input ->> 'id')::uuid;
  if answer is null then
    perform errors.refuse('not_found');
  end if;
  return answer;
end
$$;
grant execute on function api.get_routine to tenant;

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
  return api.get_routine(input);
end
$$;
grant execute on function api.update_routine to tenant;

create function api.delete_routine(input jsonb) returns text
language plpgsql
as $$
begin
  update app.routines set deleted_at = now() where id = (input ->> 'id')::uuid and deleted_at is null;
  if not found then
    perform errors.refuse('not_found');
  end if;
  return rows.deleted(input);
end
$$;
grant execute on function api.delete_routine to tenant;
