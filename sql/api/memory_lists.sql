/*
 * Lists of memories: current memories, newest first, memories of an instant, memories with conflicts, and results of a
 * search, best first.
 * (docs/specification/memories.md#search)
 */
create function api.list_memories(input jsonb) returns text
language plpgsql stable
as $$
begin
  if input ? 'q' then
    return api_private.search_memories(input);
  elsif input ? 'asOf' then
    return api_private.former_memories(input);
  elsif input ->> 'conflicts' = 'true' then
    return api_private.contested_memories(input);
  elsif input ? 'subject' then
    return api_private.memories_about(input);
  end if;
  return (
    select rows.page(array_agg(row_to_json(memory) order by memory.id desc), input)
    from (
      select * from rows.memories
      where id < rows.before(input)
        and rows.admits(
          input, scope, "botId", kind, "subjectKind", provenance, "validFrom", "validTo", rows.time(now())
        )
      order by id desc
      limit (input ->> 'limit')::integer + 1
    ) memory
  );
end
$$;
grant execute on function api.list_memories to tenant;
