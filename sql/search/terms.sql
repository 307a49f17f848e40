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
create function search.beginnings(lexeme text) returns tsquery
language sql immutable
as $$
  select string_agg(search.query(beginning, ':*')::text, ' | ')::tsquery
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

create function search.similar_lexemes(lexeme text, beginnings tsquery, bots uuid[], person uuid) returns search.term
language sql stable
as $$
  with lexemes as (
    select distinct lexeme as word
    from (
      select memory.search_vector
      from search.some_matching(beginnings, bots, person) memory
      order by memory.id desc
      limit search.many()
    ) memory, unnest(tsvector_to_array(memory.search_vector)) lexeme
  ), alike as (
    select word, extensions.similarity(search.letters(word), search.letters(lexeme)) as similarity
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

create function search.term(lexeme text, bots uuid[], person uuid) returns search.term
language plpgsql stable
as $$
declare
  word constant tsquery := search.query(lexeme);
  wider constant tsquery := search.query(lexeme, ':*');
  exact_matches constant integer := search.count_matching(word, bots, person);
  prefix_matches integer;
  similar_term search.term;
begin
  if exact_matches >= search.many() or length(lexeme) < 3 and lexeme !~ ('^' || search.unspaced() || '$') then
    return row(word, word, 1, exact_matches)::search.term;
  end if;
  prefix_matches := search.count_matching(wider, bots, person);
  if prefix_matches > 0 then
    return case when exact_matches = 0 or prefix_matches < search.many()
      then row(word, wider, 0.5, prefix_matches)::search.term
      else row(word, word, 1, exact_matches)::search.term
    end;
  end if;
  if length(lexeme) < 3 then
    return row(word, word, 1, 0)::search.term;
  end if;
  similar_term := search.similar_lexemes(lexeme, search.beginnings(lexeme), bots, person);
  if coalesce(similar_term.matches, 0) = 0 then
    similar_term := search.similar_lexemes(lexeme, search.query(left(lexeme, 2), ':*'), bots, person);
  end if;
  return similar_term;
end
$$;
grant execute on function search.term to searcher;
