/*
 * What a bot may read: the organisation's claims, its own, and those of the person it is talking to, as long as they
 * are valid. (Part 2, "Memory".)
 */
create function runner.recall(organisation uuid, run uuid, lease uuid, question text, at_most integer default 5)
returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run; claims beyond its bot and its person are left out below.
declare
  working app.runs := runner.held(organisation, run, lease);
begin
  return (
    select coalesce(json_agg(claim order by claim.rank desc, claim.id desc), '[]')
    from (
      select memory.id, memory.kind, memory.subject, memory.value, memory.confidence,
        ts_rank_cd(memory.search, asked.words) * memory.confidence as rank
      from app.memories memory, runner.any_of_words(question) as asked (words)
      where memory.organisation_id = organisation
        and memory.search @@ asked.words
        and (memory.valid_to is null or memory.valid_to > now())
        and (
          memory.scope = 'organisation'
          or (memory.scope = 'bot' and memory.bot_id = working.bot_id)
          or (memory.scope = 'member' and memory.member_id = working.person_id)
        )
      order by rank desc, memory.id desc
      limit at_most
    ) claim
  );
end
$$;
comment on function runner.recall is 'Instead of row-level security: the lease of the run, its bot and its person. Answers claims, best first.';

-- A question is not a query: any of its words may be the one that a claim shares with it; the rank tells how well.
create function runner.any_of_words(question text) returns tsquery
language sql immutable
set search_path = ''
as $$
  select coalesce(string_agg(quote_literal(word), ' | '), '')::tsquery
  from unnest(tsvector_to_array(to_tsvector('pg_catalog.english', question))) word
$$;
