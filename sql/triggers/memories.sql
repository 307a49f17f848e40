/*
 * Claims about outsiders: some kinds may not be held. Spelling does not help: case, spaces and hyphens are the same.
 * What was held before its kind was restricted stays as it says: only what a claim says is looked at, and not its words,
 * which follow the organisation's language. (Part 4, "Memories"; decisions: "Third-party limits".)
 */
create function triggers.tg_memories__spare_outsiders() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at the restrictions of the organisation of the row being written.
begin
  if exists (
    select from app.third_party_restrictions restriction
    where restriction.organisation_id = new.organisation_id
      and restriction.kind = search.spelled(new.kind)
  ) then
    perform caller.refuse('forbidden');
  end if;
  return new;
end
$$;
comment on function triggers.tg_memories__spare_outsiders is 'Instead of row-level security: looks at the restrictions of the row''s organisation alone.';

create trigger _100_spare_outsiders
  before insert or update of kind, subject, subject_kind, value, confidence, valid_to, lawful_basis on app.memories
  for each row when (new.subject_kind = 'third_party')
  execute function triggers.tg_memories__spare_outsiders();

/*
 * A claim is kept with its words, in the language of its organisation.
 */
create function triggers.tg_memories__take_words() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at the language of the organisation of the row being written.
begin
  new.search := search.vector(
    (select organisation.language from app.organisations organisation where organisation.id = new.organisation_id),
    new.subject, new.kind, new.value
  );
  return new;
end
$$;
comment on function triggers.tg_memories__take_words is 'Instead of row-level security: looks at the language of the row''s organisation alone.';

create trigger _200_take_words before insert or update of subject, kind, value on app.memories
  for each row execute function triggers.tg_memories__take_words();

/*
 * History: what a claim said, whenever it says something else or is gone. Written here alone. (decisions: section 5.6.)
 */
create function triggers.tg_memories__remember() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes what the row being changed said, for the organisation of that row.
begin
  insert into app.memory_history (
    organisation_id, memory_id, change, changed_by, key_id, scope, bot_id, member_id, kind, subject, subject_kind, value,
    confidence, valid_to, provenance, lawful_basis, subject_key
  )
  values (
    old.organisation_id, old.id, (case tg_op when 'DELETE' then 'deleted' else 'updated' end)::app.memory_change,
    caller.person_id(), caller.key_id(), old.scope, old.bot_id, old.member_id, old.kind, old.subject, old.subject_kind,
    old.value, old.confidence, old.valid_to, old.provenance, old.lawful_basis, old.subject_key
  );
  return null;
end
$$;
comment on function triggers.tg_memories__remember is 'Instead of row-level security: writes what the row being changed said, for its own organisation.';

create trigger _500_remember_change after update on app.memories
  for each row when (
    (old.value, old.confidence, old.valid_to, old.lawful_basis, old.kind, old.subject, old.subject_kind, old.provenance)
    is distinct from
    (new.value, new.confidence, new.valid_to, new.lawful_basis, new.kind, new.subject, new.subject_kind, new.provenance)
  )
  execute function triggers.tg_memories__remember();

create trigger _500_remember_deletion after delete on app.memories
  for each row execute function triggers.tg_memories__remember();
