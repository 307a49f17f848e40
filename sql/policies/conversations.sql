/*
 * Conversations and messages. Only the person of a conversation reads it; no role in the organisation gives access.
 * (docs/specification/runs.md#visibility)
 */
create policy select_own on app.conversations
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and person_id = (select caller.private_person_id()));
comment on policy select_own on app.conversations is
  'The caller''s own conversations.';

create policy insert_own_with_visible_bot on app.conversations
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and person_id = (select caller.person_id())
    and (select caller.scope()) >= 'write'
    and bot_id in (select bot.id from app.bots bot) -- bots' own policy decides
  );
comment on policy insert_own_with_visible_bot on app.conversations is
  'A conversation of the caller with a bot that the caller sees. Scope write.';

grant select on app.conversations to tenant;
grant insert (organisation_id, bot_id, person_id) on app.conversations to tenant;

create policy select_own_conversation on app.messages
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and conversation_id in (select conversation.id from app.conversations conversation)
  );
comment on policy select_own_conversation on app.messages is
  'The messages of the caller''s own conversations.';

create policy insert_as_person on app.messages
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and author = 'person'
    and (select caller.scope()) >= 'write'
    and conversation_id in (select conversation.id from app.conversations conversation)
  );
comment on policy insert_as_person on app.messages is
  'A message of a person in a conversation of the caller. Scope write.';

grant select on app.messages to tenant;
grant insert (organisation_id, conversation_id, run_id, author, text) on app.messages to tenant;
-- Not granted: update and delete, since messages never change; insert of memory_ids, since only a bot cites memories.
