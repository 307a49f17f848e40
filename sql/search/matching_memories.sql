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

create type search.matching_memory as (
  id uuid, scope app.memory_scope, bot_id uuid, kind text, subject_key text, subject_kind app.subject_kind,
  confidence double precision, valid_from timestamptz, valid_to timestamptz, provenance app.provenance, search_vector tsvector
);

create function search.matching_memories(lexemes tsquery, bots uuid[], person uuid)
returns setof search.matching_memory
language sql stable
as $$
  select
    found.id, found.scope, found.bot_id, found.kind, found.subject_key, found.subject_kind,
    found.confidence, found.valid_from, found.valid_to, found.provenance, found.search_vector
  from (
    select
      memory.organisation_id, memory.id, memory.scope, memory.bot_id, memory.member_id, memory.kind, memory.subject_key,
      memory.subject_kind, memory.confidence, memory.valid_from, memory.valid_to, memory.provenance, memory.search_vector
    from app.memories memory
    where search.keyed(memory.organisation_id, memory.search_vector) @@ search.keyed(caller.organisation_id(), lexemes)
    offset 0 -- keeps the planner from the index by organisation, which would read all its memories
  ) found
  where found.organisation_id = caller.organisation_id()
    and search.readable(found.scope, found.bot_id, found.member_id, bots, person)
$$;
comment on function search.matching_memories is 'Memories of the organisation of the request that match the query and that the policy of app.memories shows to a person who sees these bots.';
grant execute on function search.matching_memories to searcher;

create function search.admits(
  filters jsonb, at text, scope app.memory_scope, bot uuid, kind text, subject_key text, subject_kind app.subject_kind,
  valid_from timestamptz, valid_to timestamptz, provenance app.provenance
) returns boolean
language sql stable parallel safe -- without settings of its own, so that it is inlined
as $$
  select rows.admits(filters, scope, bot, kind, subject_kind, provenance, rows.time(valid_from), rows.time(valid_to), at)
    and (not filters ? 'subject' or subject_key = names.spelled(filters ->> 'subject'))
$$;
comment on function search.admits is 'Whether a memory passes all filters of a list at that instant.';
grant execute on function search.admits to searcher;

create function search.admitted_memories(lexemes tsquery, bots uuid[], person uuid, filters jsonb, at text)
returns setof search.matching_memory
language sql stable
as $$
  select matching.*
  from search.matching_memories(lexemes, bots, person) matching
  where search.admits(
    filters, at, matching.scope, matching.bot_id, matching.kind, matching.subject_key, matching.subject_kind,
    matching.valid_from, matching.valid_to, matching.provenance
  )
$$;
comment on function search.admitted_memories is 'As search.matching_memories, of memories that pass the filters.';
grant execute on function search.admitted_memories to searcher;

-- A search ranks this many matches of common terms, and the matches among twice as many newest memories. So the rows
-- that it ranks do not grow with the organisation.
create function search.many_common() returns integer
language sql immutable parallel safe
as $$ select 5000 $$;
grant execute on function search.many_common to searcher;

create function search.newest_matching(lexemes tsquery, bots uuid[], person uuid, filters jsonb, at text)
returns setof search.matching_memory
language sql stable
as $$
  select
    newest.id, newest.scope, newest.bot_id, newest.kind, newest.subject_key, newest.subject_kind,
    newest.confidence, newest.valid_from, newest.valid_to, newest.provenance, newest.search_vector
  from (
    select
      memory.id, memory.scope, memory.bot_id, memory.member_id, memory.kind, memory.subject_key, memory.subject_kind,
      memory.confidence, memory.valid_from, memory.valid_to, memory.provenance, memory.search_vector
    from app.memories memory
    where memory.organisation_id = caller.organisation_id()
    order by memory.id desc
    limit 2 * search.many_common()
  ) newest
  where newest.search_vector @@ lexemes
    and search.readable(newest.scope, newest.bot_id, newest.member_id, bots, person)
    and search.admits(
      filters, at, newest.scope, newest.bot_id, newest.kind, newest.subject_key, newest.subject_kind, newest.valid_from, newest.valid_to,
      newest.provenance
    )
$$;
comment on function search.newest_matching is 'As search.admitted_memories, of the newest memories of the organisation only. Reads them by the primary key.';
grant execute on function search.newest_matching to searcher;

create function search.some_matching(
  lexemes tsquery, bots uuid[], person uuid, filters jsonb default '{}', at text default null
)
returns setof search.matching_memory
language sql stable
as $$
  with earliest as materialized (
    select matching.* from search.admitted_memories(lexemes, bots, person, filters, at) matching limit search.many_common()
  )
  select earliest.* from earliest
  union all
  select newest.* from search.newest_matching(lexemes, bots, person, filters, at) newest
  where (select count(*) from earliest) = search.many_common()
    and newest.id not in (select earliest.id from earliest)
$$;
comment on function search.some_matching is 'All matches if they are few. Otherwise a bounded number: the first in the order of the table, and matches among the newest memories.';
grant execute on function search.some_matching to searcher;
