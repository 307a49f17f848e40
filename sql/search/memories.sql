/*
 * Full-text search. Under row-level security PostgreSQL uses an index only for leakproof operators, and operators of
 * text search are not. So a separate role reads the index and returns ids and ranks only. The caller's policies apply when
 * the ids are joined with their rows. (docs/decisions/0021-search.md)
 */
create function search.memories(
  language app.language, question text, bots uuid[], person uuid, filters jsonb, at text, after search.place,
  maximum integer
) returns table (id uuid, rank bigint, lexemes tsquery, matches integer[])
language plpgsql stable
security definer set search_path = ''
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = on
set enable_sort = on
as $$
declare
  terms search.term[];
  candidates tsquery;
  weights double precision[];
  reads_some boolean;
begin
  select * into terms, matches, candidates, weights, lexemes from search.prepare(language, question, bots, person, after.matches);
  reads_some := not exists (
    select from unnest(matches) term_matches where term_matches between 1 and search.many() - 1
  );
  return query
  select ranked.id, ranked.rank, lexemes, matches
  from search.ranked(terms, weights, candidates, bots, person, filters, at, reads_some) ranked
  where after.id is null or (ranked.rank, ranked.id) < (after.rank, after.id)
  order by ranked.rank desc, ranked.id desc
  limit maximum;
end
$$;
comment on function search.memories is 'Instead of row-level security: runs as searcher, to which policies show the search vectors of the organisation of the request. The arguments repeat the conditions of the policy. Returns ids, best first, of some thousand matches at most if all words are common; the caller''s policies decide about the rows.';
grant execute on function search.memories to tenant;

create function search.prepare(
  language app.language, question text, bots uuid[], person uuid, first_matches integer[],
  out terms search.term[], out matches integer[], out candidates tsquery, out weights double precision[], out lexemes tsquery
)
language plpgsql stable
as $$
begin
  terms := search.terms(search.lexemes(language, question), bots, person);
  matches := array(select term.matches from unnest(terms) term);
  if cardinality(first_matches) = cardinality(matches) then
    matches := first_matches;
  end if;
  candidates := search.candidates(terms, matches, bots, person);
  weights := search.weights(matches);
  lexemes := (select string_agg(term.wider::text, ' | ')::tsquery from unnest(terms) term);
end
$$;
comment on function search.prepare is 'The terms of a question with their weights, the condition that a memory must match, and all lexemes with their alternatives. A later page counts the matches of the first.';
grant execute on function search.prepare to searcher;

create function search.term_rank(weights real[], vector tsvector, word tsquery, wider tsquery, factor double precision)
returns double precision
language sql immutable parallel safe
as $$ select greatest(ts_rank(weights, vector, word), factor * ts_rank(weights, vector, wider)) $$;
comment on function search.term_rank is 'The rank of a vector for a term: of its word, or of its alternatives by their factor.';
grant execute on function search.term_rank to searcher;

-- What the words of a memory say, and whether the question names its subject or kind. A long value contains many terms by
-- chance and counts less, as does a memory of low confidence.
create function search.scored(
  terms search.term[], weights double precision[], candidates tsquery, bots uuid[], person uuid, filters jsonb, at text,
  reads_some boolean
) returns table (id uuid, scope app.memory_scope, bot_id uuid, named double precision, said double precision)
language sql stable -- without settings of its own, so that it is inlined into search.memories
as $$
  with term as materialized (
    select * from rows from (unnest(terms), unnest(weights)) as term (word, wider, factor, own_matches, weight)
    where term.weight > 0
  )
  select
    memory.id, memory.scope, memory.bot_id, (1 + memory.confidence) / 2 * score.named,
    (1 + memory.confidence) / 2 * score.said / (1 + ln(greatest(length(memory.search_vector), 1)))
  from (
    select matching.* from search.admitted_memories(candidates, bots, person, filters, at) matching where not reads_some
    union all
    select matching.* from search.some_matching(candidates, bots, person, filters, at) matching where reads_some
  ) memory
  cross join lateral (
    select
      sum(term.weight * search.term_rank('{0, 0, 0, 1}', memory.search_vector, term.word, term.wider, term.factor)) as named,
      sum(term.weight * search.term_rank('{0, 0, 0.6, 0}', memory.search_vector, term.word, term.wider, term.factor)) as said
    from term
    where memory.search_vector @@ term.wider
  ) score
$$;
comment on function search.scored is 'The memories that match the candidates and the filters: ranks of subject and kind, and of the value.';
grant execute on function search.scored to searcher;

create function search.is_near(earlier uuid, later uuid) returns boolean
language sql immutable parallel safe
as $$ select uuid_extract_timestamp(later) - uuid_extract_timestamp(earlier) <= interval '10 minutes' $$;
comment on function search.is_near is 'Whether two memories were written within ten minutes, by their ids.';
grant execute on function search.is_near to searcher;

-- A reply often says little of what it answers: "He did, on the 14th." So what a neighbour says more than the memory itself counts too,
-- the memory before more than the memory after. Memories that say the same keep their order. Neighbours are matches of the same scope
-- and bot, so a caller who reads one of them reads both. The rank is an integer, so that equal ranks compare equal.
create function search.ranked(
  terms search.term[], weights double precision[], candidates tsquery, bots uuid[], person uuid, filters jsonb, at text,
  reads_some boolean
) returns table (id uuid, rank bigint)
language sql stable
as $$
  select
    scored.id,
    round(1e6 * (
      scored.named + scored.said
      + case when search.is_near(lag(scored.id) over shelf, scored.id)
        then 0.7 * greatest(lag(scored.said) over shelf - scored.said, 0) else 0 end
      + case when search.is_near(scored.id, lead(scored.id) over shelf)
        then 0.35 * greatest(lead(scored.said) over shelf - scored.said, 0) else 0 end
    ))::bigint
  from search.scored(terms, weights, candidates, bots, person, filters, at, reads_some) scored
  window shelf as (partition by scored.scope, scored.bot_id order by scored.id)
$$;
comment on function search.ranked is 'The memories that match the candidates and the filters, with their ranks.';
grant execute on function search.ranked to searcher;

-- A term that many memories match is used for the rank only. If all terms are such, a memory must match all of them, or
-- if none does, any of them.
create function search.candidates(terms search.term[], matches integer[], bots uuid[], person uuid) returns tsquery
language plpgsql stable
as $$
declare
  any_rare tsquery;
  all_terms tsquery;
  any_term tsquery;
begin
  select
    string_agg('(' || term.wider::text || ')', ' | ') filter (where term_matches < search.many())::tsquery,
    string_agg('(' || term.wider::text || ')', ' & ')::tsquery,
    string_agg('(' || term.wider::text || ')', ' | ')::tsquery
  into any_rare, all_terms, any_term
  from rows from (unnest(terms), unnest(matches)) as term (word, wider, factor, own_matches, term_matches)
  where term_matches > 0;
  if any_rare is null and (all_terms = any_term or search.count_matching(all_terms, bots, person) > 0) then
    return all_terms;
  end if;
  return coalesce(any_rare, any_term);
end
$$;
grant execute on function search.candidates to searcher;

create function search.weights(matches integer[]) returns double precision[]
language sql immutable
as $$
  select array_agg(
    case when term_matches > 0 then ln(1 + 2.0 * greatest(commonest, term_matches) / term_matches) else 0 end order by place
  )
  from unnest(matches) with ordinality each (term_matches, place),
    (select max(term_matches) as commonest from unnest(matches) term_matches) maximum
$$;
comment on function search.weights is 'The weight of each term: higher for a term with fewer matches, relative to the commonest term of the question.';
grant execute on function search.weights to searcher;
