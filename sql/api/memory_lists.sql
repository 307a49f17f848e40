/*
 * Lists of memories: those that are held, newest first; those that were held at an instant; and those that a question
 * finds, best first. (Part 4, "Memories"; decisions: section 5.6.)
 */
create function api.list_memories(input jsonb) returns text
language plpgsql stable
as $$
begin
  if input ? 'q' then
    return caller.found_memories(input);
  elsif input ? 'asOf' then
    return caller.former_memories(input);
  elsif input ? 'subject' then
    return caller.memories_about(input);
  end if;
  return (
    select rows.page(array_agg(row_to_json(memory) order by memory.id desc), input)
    from (
      select * from rows.memories
      where id < rows.before(input)
        and rows.admits(
          input, scope, "botId", kind, "subjectKind", provenance, "validTo", rows.time(now())
        )
      order by id desc
      limit (input ->> 'limit')::integer + 1
    ) memory
  );
end
$$;

create function caller.memories_about(input jsonb) returns text
language sql stable
as $$
  select rows.page(array_agg(row_to_json(memory) order by memory.id desc), input)
  from (
    select shown.*
    from app.memories held join rows.memories shown on shown.id = held.id
    where held.organisation_id = caller.organisation_id()
      and held.subject_key = search.spelled(input ->> 'subject')
      and held.id < rows.before(input)
      and rows.admits(
        input, held.scope, held.bot_id, held.kind, held.subject_kind, held.provenance, shown."validTo", rows.time(now())
      )
    order by held.id desc
    limit (input ->> 'limit')::integer + 1
  ) memory
$$;

-- At an instant a claim said what its first change after that replaced; where there was none, what it says now. What is
-- held of the instant itself, to the millisecond, was known at it.
create function caller.former_memories(input jsonb) returns text
language plpgsql stable
as $$
declare
  instant constant timestamptz := input ->> 'asOf';
  before constant uuid := least(rows.before(input), jobs.least_id(instant + interval '1 ms'));
  size constant integer := (input ->> 'limit')::integer + 1;
begin
  return (
    with unchanged as (
      select memory.*
      from rows.memories memory join app.memories held on held.id = memory.id
      where held.organisation_id = caller.organisation_id()
        and held.id < before
        and not exists (
          select from app.memory_history later where later.memory_id = held.id and later.changed_at > instant
        )
        and rows.admits(
          input, held.scope, held.bot_id, held.kind, held.subject_kind, held.provenance, memory."validTo",
          rows.time(instant)
        )
        and (not input ? 'subject' or held.subject_key = search.spelled(input ->> 'subject'))
      order by held.id desc
      limit size
    ), changed as (
      select former.memory_id as id, former.scope, former.bot_id as "botId", former.kind, former.subject,
        former.subject_kind as "subjectKind", former.value, former.confidence, rows.time(former.valid_to) as "validTo",
        former.provenance, rows.time(uuid_extract_timestamp(former.memory_id)) as "createdAt",
        former.lawful_basis as "lawfulBasis"
      from app.memory_history former
      where former.organisation_id = caller.organisation_id()
        and former.memory_id < before
        and former.changed_at > instant
        and not exists (
          select from app.memory_history earlier
          where earlier.memory_id = former.memory_id and earlier.id < former.id and earlier.changed_at > instant
        )
        and rows.admits(
          input, former.scope, former.bot_id, former.kind, former.subject_kind, former.provenance,
          rows.time(former.valid_to), rows.time(instant)
        )
        and (not input ? 'subject' or former.subject_key = search.spelled(input ->> 'subject'))
      order by former.memory_id desc
      limit size
    ), known as (
      select id, row_to_json(unchanged) as shown from unchanged
      union all
      select id, row_to_json(changed) from changed
      order by id desc
      limit size
    )
    select rows.page(array_agg(shown order by id desc), input) from known
  );
end
$$;

-- Ranks page by the rank and the id that a page ends with. The cursor also holds how many claims held each word when
-- the first page was made: what others write in between moves nothing that is still to come.
create function caller.found_memories(input jsonb) returns text
language sql stable
as $$
  with found as (
    select found.*, organisation.language
    from app.organisations organisation,
      search.claims(
        organisation.language, input ->> 'q', (select caller.visible_bots()), caller.person_id(), input,
        rows.time(now()), rows.place(input), (input ->> 'limit')::integer + 1
      ) found
    where organisation.id = caller.organisation_id()
  ), shown as (
    select memory.id, found.rank, found.held, row_to_json(answer) as answer
    from found join rows.memories memory on memory.id = found.id,
      lateral (
        select
          memory.*,
          json_build_object(
            'subject', search.parts(found.language, memory.subject, found.words),
            'value', search.parts(found.language, memory.value, found.words)
          ) as highlight
      ) answer
  )
  select rows.page(
    array_agg(answer order by rank desc, id desc), input, null,
    array_agg(rows.place(rank, held) order by rank desc, id desc)
  )
  from shown
$$;
