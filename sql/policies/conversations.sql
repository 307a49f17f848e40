/*
 * Conversations and messages. What a person and a bot say to each other is theirs: nobody else in the organisation
 * reads it, whatever their role. (Part 4, "Runs": their own conversation with the bot.)
 */
create policy select_own on app.conversations
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and person_id = (select caller.person_id()));
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
  'What was said in the caller''s own conversations.';

create policy insert_as_person on app.messages
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and author = 'person'
    and (select caller.scope()) >= 'write'
    and conversation_id in (select conversation.id from app.conversations conversation)
  );
comment on policy insert_as_person on app.messages is
  'Words of a person in a conversation of the caller. Scope write.';

grant select on app.messages to tenant;
grant insert (organisation_id, conversation_id, run_id, author, text) on app.messages to tenant;
-- No update and no delete: what was said was said. No insert of memory_ids: only a bot rests on claims.
