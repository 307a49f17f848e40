create function api_private.conversation_with(bot uuid) returns uuid
language sql stable
as $$
  select direct.id from app.conversations direct where direct.bot_id = bot and direct.person_id = caller.person_id()
$$;
comment on function api_private.conversation_with is 'The caller''s own conversation with the bot, or null.';
grant execute on function api_private.conversation_with to tenant;

create function api_private.bot_for_conversation(wanted uuid) returns app.bots
language plpgsql stable
as $$
declare
  bot app.bots;
begin
  select bots.* into bot
  from app.bots
  where bots.id = wanted
    and bots.deleted_at is null
    and (bots.direct_conversation = 'members' or bots.owner_id = caller.person_id());
  if bot.id is null then
    perform errors.refuse('not_found');
  end if;
  return bot;
end
$$;
comment on function api_private.bot_for_conversation is 'The bot, if the caller sees it and may have a direct conversation with it; else not_found.';
grant execute on function api_private.bot_for_conversation to tenant;
