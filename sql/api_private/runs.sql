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

-- The insert of the run has locked the organisation, so no other start comes between.
create function api_private.require_free_key(started uuid) returns void
language plpgsql
security definer set search_path = ''
as $$
begin
  if exists (
    select from app.runs run
    join app.runs other
      on other.organisation_id = run.organisation_id
      and other.concurrency_key = run.concurrency_key
      and other.finished_at is null
      and other.id <> run.id
    where run.organisation_id = caller.organisation_id() and run.id = started and run.person_id = caller.person_id()
  ) then
    perform errors.refuse('conflict', reason => 'concurrency_key_busy');
  end if;
end
$$;
comment on function api_private.require_free_key is 'Instead of row-level security: run.organisation_id = caller.organisation_id(), for a run that the caller has just inserted. Refuses it if another open run of the organisation has its key, also one that the caller does not see.';
grant execute on function api_private.require_free_key to tenant;
