create function api_private.memories_about(input jsonb) returns text
language sql stable
as $$
  select rows.page(array_agg(row_to_json(memory) order by memory.id desc), input)
  from (
    select listed.*
    from app.memories join rows.memories listed on listed.id = memories.id
    where memories.organisation_id = caller.organisation_id()
      and memories.subject_key = names.spelled(input ->> 'subject')
      and memories.id < rows.before(input)
      and rows.admits(
        input, memories.scope, memories.bot_id, memories.kind, memories.subject_kind, memories.provenance,
        listed."validFrom", listed."validTo", rows.time(now())
      )
    order by memories.id desc
    limit (input ->> 'limit')::integer + 1
  ) memory
$$;
grant execute on function api_private.memories_about to tenant;

create function api_private.memories_unchanged_since(input jsonb, instant timestamptz, before uuid, maximum integer)
returns table (id uuid, answer json)
language sql stable -- without settings of its own, so that it is inlined
as $$
  select known.id, row_to_json(known)
  from (
    select memory.*
    from rows.memories memory join app.memories on memories.id = memory.id
    where memories.organisation_id = caller.organisation_id()
      and memories.id < before
      and not exists (
        select from app.memory_history later where later.memory_id = memories.id and later.changed_at > instant
      )
      and rows.admits(
        input, memories.scope, memories.bot_id, memories.kind, memories.subject_kind, memories.provenance,
        memory."validFrom", memory."validTo", rows.time(instant)
      )
      and (not input ? 'subject' or memories.subject_key = names.spelled(input ->> 'subject'))
    order by memories.id desc
    limit maximum
  ) known
$$;
comment on function api_private.memories_unchanged_since is 'Memories without a change after the instant.';
grant execute on function api_private.memories_unchanged_since to tenant;

create function api_private.memories_changed_since(input jsonb, instant timestamptz, before uuid, maximum integer)
returns table (id uuid, answer json)
language sql stable -- without settings of its own, so that it is inlined
as $$
  select known.id, row_to_json(known)
  from (
    select memory.*
    from app.memory_history change
    cross join lateral rows.memory(rows.former_memory(change.former)) memory
    where change.organisation_id = caller.organisation_id()
      and change.memory_id < before
      and change.changed_at > instant
      and not exists (
        select from app.memory_history earlier
        where earlier.memory_id = change.memory_id and earlier.id < change.id and earlier.changed_at > instant
      )
      and rows.admits(
        input, memory.scope, memory."botId", memory.kind, memory."subjectKind", memory.provenance,
        memory."validFrom", memory."validTo", rows.time(instant)
      )
      and (not input ? 'subject' or change.subject_key = names.spelled(input ->> 'subject'))
    order by change.memory_id desc
    limit maximum
  ) known
$$;
comment on function api_private.memories_changed_since is 'Memories with a change after the instant, as they were before the first such change.';
grant execute on function api_private.memories_changed_since to tenant;

-- At an instant a memory had the contents that its first later change replaced, or its present contents if there was
-- none. A memory created within the millisecond of the instant counts as known.
create function api_private.former_memories(input jsonb) returns text
language plpgsql stable
as $$
declare
  instant constant timestamptz := input ->> 'asOf';
  before constant uuid := least(rows.before(input), times.least_id(instant + interval '1 ms'));
  size constant integer := (input ->> 'limit')::integer + 1;
begin
  return (
    select rows.page(array_agg(known.answer order by known.id desc), input)
    from (
      select * from api_private.memories_unchanged_since(input, instant, before, size)
      union all
      select * from api_private.memories_changed_since(input, instant, before, size)
      order by id desc
      limit size
    ) known
  );
end
$$;
grant execute on function api_private.former_memories to tenant;

-- A contested memory has had a conflict at the last write to one of the memories. Whether it has one now is computed.
create function api_private.contested_memories(input jsonb) returns text
language sql stable
as $$
  select rows.page(array_agg(memory.answer order by memory.id desc), input)
  from (
    select stored.id, rows.memory_with_conflicts(stored)::json as answer
    from app.memories stored join rows.memories listed on listed.id = stored.id
    where stored.organisation_id = caller.organisation_id()
      and stored.contested
      and stored.id < rows.before(input)
      and rows.admits(
        input, stored.scope, stored.bot_id, stored.kind, stored.subject_kind, stored.provenance,
        listed."validFrom", listed."validTo", rows.time(now())
      )
      and (not input ? 'subject' or stored.subject_key = names.spelled(input ->> 'subject'))
      and exists (select from rows.conflicting_memories(stored))
    order by stored.id desc
    limit (input ->> 'limit')::integer + 1
  ) memory
$$;
grant execute on function api_private.contested_memories to tenant;

-- The cursor has the last rank and id of a page, and the number of memories that matched each term for the first page.
-- These numbers keep the order of the following pages when memories are written between two pages.
create function api_private.search_memories(input jsonb) returns text
language sql stable
as $$
  with found as (
    select found.*, organisation.language
    from app.organisations organisation,
      search.memories(
        organisation.language, input ->> 'q', (select policies.visible_bots()), caller.private_person_id(), input,
        rows.time(now()), rows.place(input), (input ->> 'limit')::integer + 1
      ) found
    where organisation.id = caller.organisation_id()
  ), page as (
    select memory.id, found.rank, found.matches, row_to_json(answer) as answer
    from found join rows.memories memory on memory.id = found.id,
      lateral (
        select
          memory.*,
          json_build_object(
            'subject', search.parts(found.language, memory.subject, found.lexemes),
            'value', search.parts(found.language, memory.value, found.lexemes)
          ) as highlight
      ) answer
  )
  select rows.page(
    array_agg(answer order by rank desc, id desc), input, null,
    array_agg(rows.place(rank, matches) order by rank desc, id desc)
  )
  from page
$$;
grant execute on function api_private.search_memories to tenant;
