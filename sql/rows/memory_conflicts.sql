/*
 * Conflicts: memories of the same owner, subject and kind that are valid now and say something else. The owner is the
 * bot, the member or the organisation, so a caller who reads a memory can read the memories in conflict with it.
 * (docs/specification/memories.md#conflicts)
 */
create function rows.is_valid(valid_from timestamptz, valid_to timestamptz, at timestamptz) returns boolean
language sql immutable parallel safe
as $$ select (valid_from is null or valid_from <= at) and (valid_to is null or valid_to > at) $$;
comment on function rows.is_valid is 'Whether a memory with these bounds is valid at that instant. PostgreSQL inlines it.';
grant execute on function rows.is_valid to tenant;

-- A bound, so that a subject with very many memories slows no write down.
create function rows.memories_beside(organisation uuid, memory app.memories, newest uuid) returns setof app.memories
language sql stable -- without settings of its own, so that it is inlined
as $$
  select peer.*
  from (
    select other.*
    from app.memories other
    where other.organisation_id = organisation
      and other.subject_key = memory.subject_key
      and coalesce(other.bot_id, other.member_id, other.organisation_id)
        = coalesce(memory.bot_id, memory.member_id, memory.organisation_id)
      and other.id <= newest
    order by other.id desc
    limit 100
  ) peer
  where peer.subject_kind = memory.subject_kind
    and (peer.kind = memory.kind or names.spelled(peer.kind) = (select names.spelled(memory.kind)))
$$;
comment on function rows.memories_beside is 'The memories of the same kind among the newest 100 of the owner about the subject, with the memory itself. Without memories newer than an id.';
grant execute on function rows.memories_beside to tenant;

create function rows.max_id() returns uuid
language sql immutable parallel safe
as $$ select 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid $$;
comment on function rows.max_id is 'An id that no other exceeds.';
grant execute on function rows.max_id to tenant;

create function rows.conflicting_memories(
  memory app.memories, newest uuid default rows.max_id(), at_most integer default 20
) returns setof app.memories
language sql stable -- without settings of its own, so that it is inlined
as $$
  select peer.*
  from rows.memories_beside(memory.organisation_id, memory, newest) peer
  where rows.is_valid(memory.valid_from, memory.valid_to, now())
    and rows.is_valid(peer.valid_from, peer.valid_to, now())
    and peer.value <> memory.value
    and (
      names.beginning(peer.value) <> (select names.beginning(memory.value))
      or names.spelled(peer.value) <> (select names.spelled(memory.value))
    )
  order by peer.id desc
  limit at_most
$$;
comment on function rows.conflicting_memories is 'The newest memories in conflict with the memory now, without memories newer than an id.';
grant execute on function rows.conflicting_memories to tenant;

create function rows.memory_with_conflicts(memory app.memories, newest uuid default rows.max_id()) returns text
language sql stable
as $$
  select case when conflicts.ids is null then item.answer
    else left(item.answer, -1) || ',"conflictsWith":' || to_json(conflicts.ids)::text || '}' end
  from
    (select row_to_json(fields)::text as answer from rows.memory(memory) fields) item,
    (
      select array_agg(conflicting.id order by conflicting.id desc) as ids
      from rows.conflicting_memories(memory, newest) conflicting
    ) conflicts
$$;
comment on function rows.memory_with_conflicts is 'The JSON of the memory, with conflictsWith if it is in conflict with memories that are not newer than an id.';
grant execute on function rows.memory_with_conflicts to tenant;
