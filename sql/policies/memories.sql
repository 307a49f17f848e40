/*
 * Memories. The organisation's claims are read by all of it, a bot's by those who see the bot, a member's by that
 * member alone. Through the API owners and admins write the first two; a bot writes none here. (Part 2, "Memory".)
 */
create policy select_readable on app.memories
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (
      scope = 'organisation'
      or (scope = 'bot' and bot_id = any ((select caller.visible_bots())::uuid[]))
      or (scope = 'member' and member_id = (select caller.person_id()))
    )
  );

-- Asked of one row at a time, so that nothing is gained by the sub-selects of the other policies.
create policy insert_as_member on app.memories
  for insert to tenant
  with check (
    organisation_id = caller.organisation_id()
    and caller.scope() >= 'write'
    and caller.role() >= 'admin'
    and provenance = 'member'
    and source = 'api'
    and created_by = caller.person_id()
    and (
      scope = 'organisation'
      or (scope = 'bot' and bot_id = any ((select caller.visible_bots())::uuid[]))
    )
  );

create policy update_shared on app.memories
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) >= 'write'
    and (select caller.role()) >= 'admin'
    and scope <> 'member'
  );

create policy delete_shared on app.memories
  for delete to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) >= 'write'
    and (select caller.role()) >= 'admin'
    and scope <> 'member'
  );

grant select, delete on app.memories to tenant;
grant insert (
  organisation_id, id, scope, bot_id, kind, subject, subject_kind, value, confidence, valid_to, provenance, source,
  lawful_basis, created_by
) on app.memories to tenant;
grant update (value, confidence, valid_to, lawful_basis) on app.memories to tenant;
-- No update of provenance or source: they record how a claim arrived, and nobody may improve on that.

/*
 * What claims said is read by whoever reads the claim.
 */
create policy select_readable on app.memory_history
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (
      scope = 'organisation'
      or (scope = 'bot' and bot_id = any ((select caller.visible_bots())::uuid[]))
      or (scope = 'member' and member_id = (select caller.person_id()))
    )
  );

grant select on app.memory_history to tenant;
-- No write: history is what happened. A trigger writes it, and an erasure alone takes it away.

-- app.erasures: no policy and no grant. caller.erase writes a receipt, and the answer to it is all a caller gets.

create policy select_same_organisation on app.third_party_restrictions
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));

grant select on app.third_party_restrictions to tenant;
-- No write: which kinds may be held about outsiders is not for the holder to decide.
