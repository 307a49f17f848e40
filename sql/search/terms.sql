/*
 * Terms: the lexemes of a question with their alternatives. A prefix match counts less than an exact match; it covers
 * compounds and endings that the stemmer does not know. A lexeme without any match is treated as a typing error and
 * replaced by the lexemes of memories that share most trigrams with it.
 *
 * These functions run as searcher, from search.memories. They read only memories that the caller may read: else the
 * order of results would reveal hidden ones.
 */
create type search.term as (
  word tsquery,   -- the lexeme of the question
  wider tsquery,  -- its alternatives, whose rank counts by factor
  factor double precision,
  matches integer -- the number of memories that match it or an alternative, up to search.many()
);

-- A term with this many matches does not select memories any more.
create function search.many() returns integer
language sql immutable parallel safe
as $$ select 1000 $$;
grant execute on function search.many to searcher;

create function search.count_matching(lexemes tsquery, bots uuid[], person uuid) returns integer
language sql stable
as $$
  select count(*)::integer from (select from search.matching_memories(lexemes, bots, person) limit search.many()) matching
$$;
grant execute on function search.count_matching to searcher;

-- The first letters of the word that may have been meant: as typed, without one letter, with two swapped, or another
-- vowel.
create function search.beginnings(lexeme text) returns text[]
language sql immutable
as $$
  select array_agg(beginning)
  from (
    select left(lexeme, 3)
    union
    select left(overlay(lexeme placing '' from place for 1), 3) from generate_series(1, 3) place
    union
    select left(overlay(lexeme placing reverse(substr(lexeme, place, 2)) from place for 2), 3)
    from generate_series(1, 2) place
    union
    select left(overlay(lexeme placing vowel from place for 1), 3)
    from generate_series(1, 3) place, string_to_table('aeiouyäöüåáàâéèêíóôúøæ', null) vowel
    where search.letters(substr(lexeme, place, 1)) ~ '[aeiouyæ]'
  ) as likely (beginning)
$$;
grant execute on function search.beginnings to searcher;

create function search.similar_lexemes(lexeme text, beginnings text[], bots uuid[], person uuid) returns search.term
language sql stable
as $$
  with beginning as (
    select string_agg(search.query(beginning, ':*')::text, ' | ')::tsquery as lexemes from unnest(beginnings) beginning
  ), lexemes as (
    select distinct lexeme as word
    from (
      select memory.search_vector
      from search.some_matching((select lexemes from beginning), bots, person) memory
      order by memory.id desc
      limit search.many()
    ) memory, unnest(tsvector_to_array(memory.search_vector)) lexeme
    where left(lexeme, 3) = any (beginnings) or left(lexeme, 2) = any (beginnings)
  ), alike as (
    select word, extensions.similarity(search.letters(word), (select search.letters(lexeme))) as similarity
    from lexemes
    where length(word) between length(lexeme) - 2 and length(lexeme) + 2
    order by similarity desc, word
    limit 3
  )
  select row(
    search.query(lexeme), string_agg(search.query(word)::text, ' | ')::tsquery, max(similarity),
    search.count_matching(string_agg(search.query(word)::text, ' | ')::tsquery, bots, person)
  )::search.term
  from alike
  where similarity >= 0.3
$$;
grant execute on function search.similar_lexemes to searcher;

create function search.similar_term(lexeme text, bots uuid[], person uuid) returns search.term
language plpgsql stable
as $$
declare
  similar_term search.term := row(search.query(lexeme), search.query(lexeme), 1, 0);
begin
  if length(lexeme) < 3 then
    return similar_term;
  end if;
  similar_term := search.similar_lexemes(lexeme, search.beginnings(lexeme), bots, person);
  if coalesce(similar_term.matches, 0) = 0 then
    similar_term := search.similar_lexemes(lexeme, array[left(lexeme, 2)], bots, person);
  end if;
  return similar_term;
end
$$;
grant execute on function search.similar_term to searcher;

create function search.terms(lexemes text[], bots uuid[], person uuid) returns search.term[]
language sql stable
as $$
  select array_agg(
    case
      when prefix.matches is null then row(word, word, 1, exact.matches)::search.term
      when prefix.matches = 0 then search.similar_term(lexeme, bots, person)
      when exact.matches = 0 or prefix.matches < search.many() then row(word, wider, 0.5, prefix.matches)::search.term
      else row(word, word, 1, exact.matches)::search.term
    end
    order by place
  )
  from unnest(lexemes) with ordinality question (lexeme, place)
  cross join lateral (
    select search.query(lexeme) as word, search.query(lexeme, ':*') as wider,
      length(lexeme) >= 3 or lexeme ~ ('^' || search.unspaced() || '$') as has_alternatives
    offset 0 -- evaluated once
  ) queries
  cross join lateral (
    select count(*)::integer as matches from (select from search.matching_memories(word, bots, person) limit search.many()) matching
  ) exact
  left join lateral (
    select count(*)::integer as matches from (select from search.matching_memories(wider, bots, person) limit search.many()) matching
  ) prefix on has_alternatives and exact.matches < search.many()
$$;
comment on function search.terms is 'The terms of a question, in the order of its lexemes.';
grant execute on function search.terms to searcher;
