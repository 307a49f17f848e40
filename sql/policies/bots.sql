/*
 * Bots. The organisation sees a team bot, only its owner sees a personal bot. Owners and admins update the bots they
 * see, members their own. (docs/specification/bots.md)
 */
create policy select_visible on app.bots
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (visibility = 'team' or owner_id = (select caller.private_person_id()))
  );
comment on policy select_visible on app.bots is
  'The team bots of the organisation, and the caller''s own personal bots.';

create policy insert_own on app.bots
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and owner_id = (select caller.person_id())
    and (visibility = 'team' or owner_id = (select caller.private_person_id()))
    and (select caller.scope()) >= 'write'
  );
comment on policy insert_own on app.bots is
  'A bot of the caller''s organisation that the caller owns. Scope write.';

create policy update_visible on app.bots
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (visibility = 'team' or owner_id = (select caller.private_person_id()))
    and ((select caller.role()) >= 'admin' or owner_id = (select caller.person_id()))
    and (select caller.scope()) >= 'write'
    and deleted_at is null
  )
  with check (
    organisation_id = (select caller.organisation_id())
    and (visibility = 'team' or owner_id = (select caller.private_person_id()))
  );
comment on policy update_visible on app.bots is
  'The bots that the caller sees, unless deleted; of a member, own bots only. Scope write.';

grant select on app.bots to tenant;
grant insert (organisation_id, name, instructions, model, visibility, direct_conversation, owner_id) on app.bots to tenant;
grant update (name, instructions, model, visibility, direct_conversation, deleted_at) on app.bots to tenant;
-- Not granted: update of owner_id, since the owner of a bot never changes; delete, since runs refer to the row.

create function policies.visible_bots() returns uuid[]
language sql stable
set search_path = ''
as $$
  select array_agg(bot.id) from app.bots bot where bot.deleted_at is null
$$;
comment on function policies.visible_bots is 'The bots that the caller sees, by their own policy. For policies of tables that refer to bots: in a sub-select it runs only if a row needs it.';
grant execute on function policies.visible_bots to tenant;
