/*
 * Memories. Readable: organisation memories by all members, bot memories by members who see the bot, member memories by
 * that member. Through the API, owners and admins write the first two. (docs/specification/memories.md#visibility)
 */
create policy select_readable on app.memories
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (
      scope = 'organisation'
      or (scope = 'bot' and bot_id = any ((select policies.visible_bots())::uuid[]))
      or (scope = 'member' and member_id = (select caller.private_person_id()))
    )
  );
comment on policy select_readable on app.memories is
  'Memories of the organisation, of bots that the caller sees, and about the caller.';

-- Checked for one row at a time: the sub-selects of the other policies would save nothing.
create policy insert_as_member on app.memories
  for insert to tenant
  with check (
    organisation_id = caller.organisation_id()
    and caller.scope() >= 'write'
    and caller.role() >= 'admin'
    and provenance in ('member', 'import', 'run-tainted')
    and source = 'api'
    and created_by = caller.person_id()
    and (
      scope = 'organisation'
      or (scope = 'bot' and bot_id = any ((select policies.visible_bots())::uuid[]))
    )
  );
comment on policy insert_as_member on app.memories is
  'A memory of the organisation, or of a bot that the caller sees, in the caller''s name. Owners and admins, scope write.';

-- These two repeat the condition on bots: PostgreSQL does not apply select_readable to a statement that reads no
-- column.
create policy update_shared on app.memories
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) >= 'write'
    and (select caller.role()) >= 'admin'
    and (scope = 'organisation' or (scope = 'bot' and bot_id = any ((select policies.visible_bots())::uuid[])))
  );
comment on policy update_shared on app.memories is
  'The memories of the organisation and of bots that the caller sees. Owners and admins, scope write.';

create policy delete_shared on app.memories
  for delete to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) >= 'write'
    and (select caller.role()) >= 'admin'
    and (scope = 'organisation' or (scope = 'bot' and bot_id = any ((select policies.visible_bots())::uuid[])))
  );
comment on policy delete_shared on app.memories is
  'The memories of the organisation and of bots that the caller sees. Owners and admins, scope write.';

grant select, delete on app.memories to tenant;
grant insert (organisation_id, id, provenance, source, created_by, external_id) on app.memories to tenant;
do $$
begin
  execute (
    select format(
      'grant insert (%s), update (%s) on app.memories to tenant',
      string_agg(quote_ident(name), ', ' order by place) filter (where at_creation),
      string_agg(quote_ident(name), ', ' order by place) filter (where by_patch)
    )
    from rows.memory_fields()
  );
end
$$;
grant update (superseded_by) on app.memories to tenant; -- for triggers.tg_memories__close_superseded
-- Not granted: update of provenance, source, supersedes and external_id, which record how a memory was created.

/*
 * History: readable like the memory itself.
 */
create policy select_readable on app.memory_history
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (
      scope = 'organisation'
      or (scope = 'bot' and bot_id = any ((select policies.visible_bots())::uuid[]))
      or (scope = 'member' and member_id = (select caller.private_person_id()))
    )
  );
comment on policy select_readable on app.memory_history is
  'The history of the memories that the caller reads.';

grant select on app.memory_history to tenant;
-- Not granted: any write. A trigger writes history, and only an erasure deletes it.

-- app.erasures: no policy and no grant. erasure.erase writes the receipt and returns it.

create policy select_same_organisation on app.third_party_restrictions
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_same_organisation on app.third_party_restrictions is
  'The kinds of memory about third parties that are restricted in the caller''s organisation.';

grant select on app.third_party_restrictions to tenant;
-- Not granted: any write. Operators decide which kinds are restricted.
