/*
 * Bots. (docs/specification/bots.md)
 */
create function api.list_bots(input jsonb) returns text
language plpgsql stable
as $$
declare
  size constant integer := (input ->> 'limit')::integer + 1;
begin
  if input ->> 'deleted' = 'true' then
    return (
      select rows.page(array_agg(row_to_json(bot) order by bot.id desc), input)
      from (select * from rows.deleted_bots where id < rows.before(input) order by id desc limit size) bot
    );
  end if;
  return (
    select rows.page(array_agg(row_to_json(bot) order by bot.id desc), input)
    from (select * from rows.bots where id < rows.before(input) order by id desc limit size) bot
  );
end
$$;
grant execute on function api.list_bots to tenant;

create function api.create_bot(input jsonb) returns text
language plpgsql
as $$
declare
  created uuid;
begin
  perform api_private.refuse_private_bot(input);
  perform models.require_served(input ->> 'model');
  insert into app.bots (organisation_id, name, instructions, model, visibility, direct_conversation, owner_id)
  values (
    caller.organisation_id(),
    input ->> 'name',
    input ->> 'instructions',
    input ->> 'model',
    (input ->> 'visibility')::app.bot_visibility,
    (input ->> 'directConversation')::app.direct_conversation,
    caller.person_id()
  )
  returning id into created;
  return api.get_bot(jsonb_build_object('id', created));
end
$$;
grant execute on function api.create_bot to tenant;

-- Only the owner changes the visibility of a bot: otherwise an admin could hide a team bot from all others.
create function api.update_bot(input jsonb) returns text
language plpgsql
as $$
declare
  before app.bots;
begin
  select bot.* into before from app.bots bot where bot.id = (input ->> 'id')::uuid and bot.deleted_at is null;
  if before.id is null then
    perform errors.refuse('not_found');
  end if;
  if input ->> 'visibility' <> before.visibility::text and before.owner_id <> caller.person_id() then
    perform errors.refuse('forbidden', reason => 'not_bot_owner');
  end if;
  perform api_private.refuse_bot_of_another(before.owner_id), api_private.refuse_private_bot(input);
  if input ->> 'model' <> before.model then
    perform models.require_served(input ->> 'model');
  end if;
  update app.bots
  set
    name = coalesce(input ->> 'name', name),
    instructions = coalesce(input ->> 'instructions', instructions),
    model = coalesce(input ->> 'model', model),
    visibility = coalesce((input ->> 'visibility')::app.bot_visibility, visibility),
    direct_conversation = coalesce((input ->> 'directConversation')::app.direct_conversation, direct_conversation)
  where id = before.id;
  perform errors.require_row(found); -- unless deleted meanwhile
  return api.get_bot(input);
end
$$;
grant execute on function api.update_bot to tenant;

-- Locks the organisation first, like the creation of a run, a routine or a hook. So the deletion sees what was created
-- before, and a later creation sees that the bot is deleted (triggers.refuse_for_deleted_bot).
create function api.delete_bot(input jsonb) returns text
language plpgsql
as $$
begin
  perform api_private.lock_organisation();
  perform api_private.refuse_bot_of_another(bot.owner_id)
  from app.bots bot where bot.id = (input ->> 'id')::uuid and bot.deleted_at is null;
  update app.bots set deleted_at = now() where id = (input ->> 'id')::uuid and deleted_at is null;
  perform errors.require_row(found);
  return rows.deleted(input);
end
$$;
grant execute on function api.delete_bot to tenant;
