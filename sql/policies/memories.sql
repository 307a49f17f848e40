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
comment on policy select_readable on app.memories is
  'The organisation''s claims, those of bots that the caller sees, and those about the caller.';

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
comment on policy insert_as_member on app.memories is
  'A claim of the organisation, or of a bot that the caller sees, in the caller''s name. Owners and admins, scope write.';

-- These two say again which bots' claims are meant: of a statement that reads no column, select_readable is not asked.
create policy update_shared on app.memories
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) >= 'write'
    and (select caller.role()) >= 'admin'
    and (scope = 'organisation' or (scope = 'bot' and bot_id = any ((select caller.visible_bots())::uuid[])))
  );
comment on policy update_shared on app.memories is
  'The organisation''s claims and bots'' that the caller reads. Owners and admins, scope write.';

create policy delete_shared on app.memories
  for delete to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) >= 'write'
    and (select caller.role()) >= 'admin'
    and (scope = 'organisation' or (scope = 'bot' and bot_id = any ((select caller.visible_bots())::uuid[])))
  );
comment on policy delete_shared on app.memories is
  'The organisation''s claims and bots'' that the caller reads. Owners and admins, scope write.';

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
comment on policy select_readable on app.memory_history is
  'What claims said before, of those that the caller reads.';

grant select on app.memory_history to tenant;
-- No write: history is what happened. A trigger writes it, and an erasure alone takes it away.

-- app.erasures: no policy and no grant. caller.erase writes a receipt, and the answer to it is all a caller gets.

create policy select_same_organisation on app.third_party_restrictions
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_same_organisation on app.third_party_restrictions is
  'Which kinds the caller''s organisation may not hold about third parties.';

grant select on app.third_party_restrictions to tenant;
-- No write: which kinds may be held about outsiders is not for the holder to decide.
