/*
 * Restricted kinds of memories about third parties, compared by skeleton: neither spelling nor similar letters get
 * round them. A memory from before the restriction stays, and its search vector may still be rebuilt: the trigger fires
 * only for the columns of the text. Every PATCH sets the value, changed or not. (docs/specification/memories.md#restricted-kinds)
 */
create function triggers.tg_memories__refuse_restricted_kind() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  restricted text;
begin
  -- One query for both would cost 0.7 ms per row, since its planner computes the skeleton even without a restriction.
  for restricted in
    select restriction.kind from app.third_party_restrictions restriction
    where restriction.organisation_id = new.organisation_id
  loop
    if search.skeleton(restricted) = search.skeleton(new.kind) then
      perform errors.refuse('forbidden', reason => 'kind_restricted');
    end if;
  end loop;
  return new;
end
$$;
comment on function triggers.tg_memories__refuse_restricted_kind is 'Instead of row-level security: restriction.organisation_id = new.organisation_id. Refuses a memory about a third party of a restricted kind.';

create trigger _100_refuse_restricted_kind
  before insert or update of kind, subject, subject_kind, value on app.memories
  for each row when (new.subject_kind = 'third_party')
  execute function triggers.tg_memories__refuse_restricted_kind();

/*
 * The search vector of a memory, in the language of its organisation.
 */
create function triggers.tg_memories__set_search_vector() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  new.search_vector := search.vector(organisation.language, new.subject, new.kind, new.value)
    from app.organisations organisation where organisation.id = new.organisation_id;
  return new;
end
$$;
comment on function triggers.tg_memories__set_search_vector is 'Instead of row-level security: organisation.id = new.organisation_id. Sets the search vector, in the language of the organisation.';

create trigger _200_set_search_vector before insert or update of subject, kind, value on app.memories
  for each row execute function triggers.tg_memories__set_search_vector();

/*
 * History: the former contents of a changed or deleted memory. Only this trigger writes it.
 * (docs/specification/memories.md#history)
 */
create function triggers.tg_memories__record_history() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if triggers.is_deletion_step(old.organisation_id) then
    return null;
  end if;
  old.search_vector := null;
  new.search_vector := null;
  old.contested := null;
  new.contested := null;
  if tg_op = 'UPDATE' and old is not distinct from new then
    return null; -- no field that history shows
  end if;
  insert into app.memory_history (
    organisation_id, memory_id, change, changed_by, key_id, scope, bot_id, member_id, subject_kind, subject_key, former
  )
  values (
    old.organisation_id, old.id, (case tg_op when 'DELETE' then 'deleted' else 'updated' end)::app.memory_change,
    caller.person_id(), caller.key_id(), old.scope, old.bot_id, old.member_id, old.subject_kind, old.subject_key,
    jsonb_strip_nulls(to_jsonb(old))
  );
  return null;
end
$$;
comment on function triggers.tg_memories__record_history is 'Instead of row-level security: inserts with old.organisation_id. Keeps the former contents of the memory.';

create trigger _500_record_change after update on app.memories
  for each row when (old.* is distinct from new.*)
  execute function triggers.tg_memories__record_history();

create trigger _500_record_deletion after delete on app.memories
  for each row execute function triggers.tg_memories__record_history();

/*
 * An answer that cites a memory is stored blank if the memory was erased during the run. The trigger locks the cited
 * rows: an erasure has either committed and is seen here, or it waits and then blanks the answer itself.
 */
create function triggers.tg_messages__blank_if_erased() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if erasure.cites_erased(new.organisation_id, new.memory_ids) then
    new.text := '';
    new.memory_ids := '{}';
    new.erased_at := now();
  end if;
  return new;
end
$$;
comment on function triggers.tg_messages__blank_if_erased is 'Instead of row-level security: memory.organisation_id = new.organisation_id. Blanks an answer that cites an erased memory.';

create trigger _100_blank_if_erased before insert on app.messages
  for each row when (new.memory_ids <> '{}')
  execute function triggers.tg_messages__blank_if_erased();
