/*
 * Finds memories by the index memories_by_lexemes. In the index, each lexeme begins with the last digits of the
 * organisation's id. So a prefix search also reads the lexemes of one organisation only.
 */
-- The same expression as in memories_by_lexemes. A lexeme contains no space, so " '" marks the start of each.
create function search.keyed(organisation uuid, vector tsvector) returns tsvector
language sql immutable parallel safe
as $$
  select case length(vector)
    when 0 then ''
    else '''' || right(organisation::text, 8)
      || replace(substr(strip(vector)::text, 2), ' ''', ' ''' || right(organisation::text, 8))
  end::tsvector
$$;
comment on function search.keyed(uuid, tsvector) is 'The lexemes with the last digits of the organisation''s id in front. Other organisations may have the same digits, so the row is checked as well.';
grant execute on function search.keyed(uuid, tsvector) to searcher;

create function search.keyed(organisation uuid, lexemes tsquery) returns tsquery
language sql immutable parallel safe
as $$
  select regexp_replace(lexemes::text, '''((?:[^'']|'''')+)''', '''' || right(organisation::text, 8) || '\1''', 'g')::tsquery
$$;
comment on function search.keyed(uuid, tsquery) is 'The same for a query.';
grant execute on function search.keyed(uuid, tsquery) to searcher;

create function search.matching_memories(lexemes tsquery, bots uuid[], person uuid)
returns table (
  id uuid, scope app.memory_scope, bot_id uuid, kind text, subject_key text, subject_kind app.subject_kind,
  confidence double precision, valid_to timestamptz, provenance app.provenance, search_vector tsvector
)
language sql stable
as $$
  select
    found.id, found.scope, found.bot_id, found.kind, found.subject_key, found.subject_kind,
    found.confidence, found.valid_to, found.provenance, found.search_vector
  from (
    select
      memory.organisation_id, memory.id, memory.scope, memory.bot_id, memory.member_id, memory.kind, memory.subject_key,
      memory.subject_kind, memory.confidence, memory.valid_to, memory.provenance, memory.search_vector
    from app.memories memory
    where search.keyed(memory.organisation_id, memory.search_vector) @@ search.keyed(caller.organisation_id(), lexemes)
    offset 0 -- keeps the planner from the index by organisation, which would read all its memories
  ) found
  where found.organisation_id = caller.organisation_id()
    and search.readable(found.scope, found.bot_id, found.member_id, bots, person)
$$;
comment on function search.matching_memories is 'Memories of the organisation of the request that match the query and that the policy of app.memories shows to a person who sees these bots.';
grant execute on function search.matching_memories to searcher;
