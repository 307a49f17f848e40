/*
 * Search of a run: valid memories of its organisation, its bot and its person. Any word of the question may match, and
 * the rank says how well. A tainted run does not find its person's memories, since an outsider may receive its answer.
 * (docs/specification/executors.md#searching)
 */
create function runner.search_memories(organisation uuid, run uuid, lease uuid, question text, at_most integer default 5)
returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  working app.runs := runner.leased_run(organisation, run, lease);
  own_language app.language;
begin
  perform runner.require(char_length(question) between 1 and 32000, 'a question has 1 to 32,000 characters');
  perform runner.require(at_most between 1 and 200, 'a run searches for 1 to 200 memories at a time');
  select tenant.language into own_language from app.organisations tenant where tenant.id = organisation;
  return (
    select coalesce(json_agg(result order by result.rank desc, result.id desc), '[]')
    from (
      select memory.id, memory.kind, memory.subject, memory.value, memory.confidence,
        rows.time(memory.created_at) as "createdAt", rows.time(memory.valid_from) as "validFrom",
        conflicts.newest as "conflictsWith", found.rank
      from search.memories(
          own_language, question, array[working.bot_id], case when not working.taint then working.person_id end,
          '{"current": "true"}', rows.time(now()), null, at_most
        ) found
      -- Looked up by key, one by one, even if the planner overestimates the matches.
      cross join lateral (
        select memories.*
        from app.memories
        where memories.organisation_id = organisation and memories.id = found.id
        limit 1
      ) memory
      -- A run that finds a memory may read the memories in conflict with it: they have the same owner.
      cross join lateral (
        select coalesce(json_agg(row_to_json(conflict) order by conflict.id desc), '[]') as newest
        from (
          select other.id, other.value, other.confidence, rows.time(other.created_at) as "createdAt", rows.time(other.valid_from) as "validFrom"
          from rows.conflicting_memories(memory, at_most => 3) other
        ) conflict
      ) conflicts
    ) result
  );
end
$$;
comment on function runner.search_memories is 'Instead of row-level security: runner.leased_run, for the lease of the run, its bot and its person. Returns memories, best match first.';
grant execute on function runner.search_memories to executor;
