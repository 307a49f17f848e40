/*
 * The claims that hold something, by the index of words. In there each word stands behind the last digits of its
 * organisation's id, so that also a beginning of a word is looked for among the organisation's words alone.
 */
-- As memories_by_words has it, which is found by this text: no word has a space in it, so " '" is where one begins.
create function search.keyed(organisation uuid, words tsvector) returns tsvector
language sql immutable parallel safe
as $$
  select case length(words)
    when 0 then ''
    else '''' || right(organisation::text, 8)
      || replace(substr(strip(words)::text, 2), ' ''', ' ''' || right(organisation::text, 8))
  end::tsvector
$$;
comment on function search.keyed(uuid, tsvector) is 'The words of a claim as its organisation''s own. Other organisations may have the same last digits: they are told apart by the claim''s row.';

create function search.keyed(organisation uuid, words tsquery) returns tsquery
language sql immutable parallel safe
as $$
  select regexp_replace(words::text, '''((?:[^'']|'''')+)''', '''' || right(organisation::text, 8) || '\1''', 'g')::tsquery
$$;
comment on function search.keyed(uuid, tsquery) is 'The same of what is asked for.';

create function search.holding(words tsquery, bots uuid[], person uuid)
returns table (
  id uuid, scope app.memory_scope, bot_id uuid, kind text, subject_key text, subject_kind app.subject_kind,
  confidence double precision, valid_to timestamptz, provenance app.provenance, search tsvector
)
language sql stable
as $$
  select
    held.id, held.scope, held.bot_id, held.kind, held.subject_key, held.subject_kind,
    held.confidence, held.valid_to, held.provenance, held.search
  from (
    select
      memory.organisation_id, memory.id, memory.scope, memory.bot_id, memory.member_id, memory.kind, memory.subject_key,
      memory.subject_kind, memory.confidence, memory.valid_to, memory.provenance, memory.search
    from app.memories memory
    where search.keyed(memory.organisation_id, memory.search) @@ search.keyed(caller.organisation_id(), words)
    offset 0 -- looked up by words, and not by the organisation, of which all would be read
  ) held
  where held.organisation_id = caller.organisation_id()
    and search.readable(held.scope, held.bot_id, held.member_id, bots, person)
$$;
comment on function search.holding is 'Claims of the organisation of the request that hold what is asked for and that the policy of app.memories shows to whoever sees these bots and is this person.';
